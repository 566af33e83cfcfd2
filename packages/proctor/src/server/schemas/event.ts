// One entry of a run's log, as clients read it. Payloads differ by type; docs/reference lists them.
import { z } from "zod";
import { EVENT_TYPES } from "./event-types.ts";
import { JsonRecord, listOf, MAX_SEQUENCE, PageQuery, Timestamp } from "./common.ts";

export const EventDocument = z
  .strictObject({
    run_id: z.string(),
    sequence: z.int().min(0).describe("Durable, without gaps, from 0."),
    timestamp: Timestamp,
    type: z
      .string()
      .describe("`run.created`, `tool_call`, `question.asked`, `message.added`, `run.ended`, …")
      .meta({ "x-extensible-enum": EVENT_TYPES }),
    payload: JsonRecord,
    origin: JsonRecord.optional().describe("What the agent's message said about itself."),
  })
  .meta({ id: "Event", description: "One appended fact about a run." });

export const EventList = listOf("EventList", EventDocument);

export const EventQueryParams = PageQuery.extend({
  after: z
    .int()
    .min(-1)
    .max(MAX_SEQUENCE)
    .optional()
    .describe("Only events with a greater sequence; -1 for all."),
  access_token: z
    .string()
    .optional()
    .describe("The bearer token, for a browser's EventSource, which cannot send headers. Streams only."),
});
