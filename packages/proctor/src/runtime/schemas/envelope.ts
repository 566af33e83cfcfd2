// The envelope as senders write it: document 004, section 2.1, and what Proctor adds. Unknown fields are kept.
import { z } from "zod";
import { ENVELOPE_TYPES } from "../../core/envelope.ts";
import { json } from "../yaml/scalars.ts";
import { boundedInt, boundedText } from "./bounded.ts";

export const MAX_ID_CHARS = 200;
export const MAX_PARTY_CHARS = 200;
export const MAX_ACTION_CHARS = 100;
/** Longest time to live: seven days, in milliseconds. */
const MAX_TTL_MS = 7 * 86_400_000;
/** Most envelopes that programs alone may derive from one another. */
export const MAX_HOPS = 16;

// oxlint-disable-next-line no-control-regex -- control characters are what has to stay out
export const PRINTABLE = /^[^\u0000-\u001f\u007f]+$/;

const id = boundedText(MAX_ID_CHARS).regex(PRINTABLE, "must have no control characters");
const party = boundedText(MAX_PARTY_CHARS).regex(PRINTABLE, "must have no control characters");

const trace = z
  .looseObject({
    traceId: z
      .string()
      .max(MAX_ID_CHARS)
      .exactOptional()
      .describe("32 hex digits; other ids are hashed to such."),
    spanId: z
      .string()
      .max(MAX_ID_CHARS)
      .exactOptional()
      .describe("16 hex digits; other ids are hashed to such."),
    parentId: z.string().max(MAX_ID_CHARS).exactOptional(),
  })
  .describe("Filled in where it is absent.");

export const envelopeDraft = z.looseObject({
  id: id
    .exactOptional()
    .describe("Unique for its sender; a repeated one is taken once. Made up when absent."),
  from: party.exactOptional().describe("An agent's name or `user:<id>`; the sender's own when absent."),
  to: party.describe("An agent's name, `capability:<name>`, `user:<id>` or `hub`."),
  type: z.enum(ENVELOPE_TYPES),
  action: boundedText(MAX_ACTION_CHARS)
    .exactOptional()
    .describe(
      "`execute`, `status_update`, `cancel`, …, or any other word. Only a `stream_chunk` needs none.",
    ),
  payload: json.exactOptional(),
  trace: trace.exactOptional(),
  timestamp: z
    .number()
    .positive()
    .exactOptional()
    .describe("Epoch milliseconds; seconds, microseconds and nanoseconds are told apart by their size."),
  inReplyTo: id.exactOptional().describe("Id of the envelope that this one answers."),
  streamId: id.exactOptional().describe("The stream that this is a piece of."),
  seq: z.int().min(0).exactOptional().describe("Number of the piece, from 0."),
  final: z.boolean().exactOptional().describe("True for the last piece."),
  ttl: boundedInt(1, MAX_TTL_MS).exactOptional().describe("Milliseconds to live; a day when absent."),
  hops: z
    .int()
    .min(0)
    .exactOptional()
    .describe("How many envelopes this one was derived from, one after the other."),
});
