// One entry of a run's log, as clients read it. Payloads differ by type; docs/reference lists them.
import { z } from "zod";
import { EVENT_TYPES } from "../../core/event-types.ts";
import { MAX_PAGE_LIMIT } from "../../core/page.ts";
import { boundedInt } from "../../runtime/schemas/bounded.ts";
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
    cut: z.literal(true).optional().describe("Of a `brief` page: the payload is not the whole one."),
  })
  .meta({
    id: "Event",
    description: "One appended fact about a run.",
    examples: [
      {
        run_id: "01a1e14f-3cf7-702e-b2be-b1e955c02556",
        sequence: 3,
        timestamp: "2026-11-15T22:23:49.113Z",
        type: "progress",
        payload: { message: "greeting Ada", percentage: 50 },
      },
    ],
  });

export const EventList = listOf("EventList", EventDocument);

const accessToken = z
  .string()
  .optional()
  .describe("The bearer token, for a browser's EventSource, which cannot send headers. Streams only.");

export const FeedQueryParams = z.strictObject({
  after: boundedInt(0, MAX_SEQUENCE)
    .optional()
    .describe("Only events with a greater position; 0 for all. From now on when absent."),
  type: z
    .array(
      z
        .string()
        .max(100)
        .regex(/^[a-z_]+(?:\.(?:[a-z_]+|\*))?$/, "expected a type of events, or `run.*`"),
    )
    .max(50)
    .optional()
    .describe("Types of events, or groups as `run.*`; repeated or separated by commas."),
  agent: z.string().max(8192).optional().describe("A registered name or an address, as runs show it."),
  conversation: z.string().max(400).optional().describe("Id of a conversation."),
  run: z.string().max(400).optional().describe("Id of a run."),
  evaluations: z
    .enum(["true", "false"])
    .optional()
    .describe("`true`: also frames named `evaluation`, with what changes about evaluations."),
  status_changes: z
    .enum(["true", "false"])
    .optional()
    .describe("`true`: only events after which the status of their run may be another."),
  also_run: z
    .array(z.string().max(400))
    .max(10)
    .optional()
    .describe(
      "Ids of runs all of whose events are sent, whatever the other filters say; repeated or separated by commas.",
    ),
  access_token: accessToken,
});
export type FeedQuery = z.infer<typeof FeedQueryParams>;

export const EventQueryParams = PageQuery.extend({
  after: boundedInt(-1, MAX_SEQUENCE).optional().describe("Only events with a greater sequence; -1 for all."),
  last: boundedInt(1, MAX_PAGE_LIMIT)
    .optional()
    .describe("Only the last events, at most this many; not with `after` or `cursor`. Pages only."),
  brief: boundedInt(100, 100_000)
    .optional()
    .describe(
      "Cuts texts in payloads to this many characters, and lists to 50 items; such an event has `cut`. Pages only.",
    ),
  access_token: accessToken,
});
