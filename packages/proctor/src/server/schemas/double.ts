// What the API takes and shows of doubles.
import { z } from "zod";
import { DOUBLE_KINDS, DOUBLE_STATES } from "../../core/double.ts";
import type { Json } from "../../core/json.ts";
import { listOf, PageQuery, Timestamp } from "./common.ts";

/** Any JSON; a body has been read as JSON before it is looked at. */
const json = z.custom<Json>((value) => value !== undefined);
const text = (longest: number) => z.string().max(longest);
const kind = z.enum(DOUBLE_KINDS).meta({ id: "DoubleKind" });
const announced = {
  kind,
  name: text(400).min(1).describe("The file that it plays, or what it is."),
  address: text(2000).describe("Where agents and clients reach it."),
  host: text(400),
  pid: z.int().min(0),
};

export const NewDoubleBody = z.strictObject(announced).meta({ id: "NewDouble" });

export const AnnouncedDocument = z
  .strictObject({
    id: z.string(),
    beat_ms: z.int().describe("How often the double says that it is there, in milliseconds."),
  })
  .meta({ id: "AnnouncedDouble" });

export const DoubleDocument = z
  .strictObject({
    ...announced,
    id: z.string(),
    state: z
      .enum(DOUBLE_STATES)
      .describe("`gone`: nothing was heard of it for a few seconds; `ended`: it said so."),
    started_at: Timestamp,
    seen_at: Timestamp,
    ended_at: Timestamp.nullable(),
    requests: z.int().describe("How many requests it was asked, also those that are no longer kept."),
    unmatched: z.int().describe("How many of them nothing in its script matched."),
    dropped: z.int().describe("How many are no longer kept: the newest 1,000 are."),
  })
  .meta({
    id: "Double",
    description: "A stand-in that runs as a program of its own.",
    examples: [
      {
        kind: "tools",
        name: "tools.yaml",
        address: "http://127.0.0.1:8080/tools",
        host: "laptop",
        pid: 4711,
        id: "01a1e14f-3cf7-702e-b2be-b1e955c02556",
        state: "live",
        started_at: "2026-11-15T22:20:00.000Z",
        seen_at: "2026-11-15T22:23:49.113Z",
        ended_at: null,
        requests: 12,
        unmatched: 1,
        dropped: 0,
      },
    ],
  });

export const DoubleList = listOf("DoubleList", DoubleDocument);

const asked = {
  at: Timestamp,
  asked: text(1000).describe("The operation, tool, model or endpoint."),
  request: json.describe("Its body, without secrets; the beginning of its text where it is long."),
  answered: json,
  matched: text(1000).nullable().describe("The script, rule or answer that was used; null where none was."),
  unmatched: z.boolean().describe("Nothing in the script was for it, or it was refused."),
};
const AskedBody = z.strictObject(asked).meta({ id: "NewDoubleRequest" });

/** Number of requests in one batch; more come in several batches. */
const MAX_BATCH = 100;

export const RecordBody = z
  .strictObject({ requests: z.array(AskedBody).max(MAX_BATCH) })
  .meta({ id: "NewDoubleRequests" });

const DoubleRequestDocument = z
  .strictObject({ number: z.int().min(1).describe("Counts from 1."), ...asked })
  .meta({ id: "DoubleRequest" });

export const DoubleRequestList = listOf("DoubleRequestList", DoubleRequestDocument);

export const DoubleRequestQueryParams = PageQuery.extend({
  unmatched: z.enum(["true"]).optional().describe("Only those that nothing matched."),
  text: text(200).min(1).optional().describe("Only those that have this text, in any case."),
});
