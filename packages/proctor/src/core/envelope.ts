// The envelope, which document 004 calls "A2A v2": section 2.1 to the letter, with additions that replies and streams need.
import type { Json, JsonObject } from "./json.ts";

/** Document 004 has the first four; the fifth is accepted from others and means a notification with the action `stream_chunk`. */
export const ENVELOPE_TYPES = ["request", "response", "notification", "error", "stream_chunk"] as const;
export type EnvelopeType = (typeof ENVELOPE_TYPES)[number];

/** The name of the hub itself as a sender and as a receiver. */
export const HUB = "hub";

export interface TraceContext extends JsonObject {
  /** Id of the trace: 32 hex digits. */
  traceId: string;
  /** Id of the span: 16 hex digits. */
  spanId: string;
  parentId?: string;
}

export interface Envelope extends JsonObject {
  id: string;
  /** An agent's name or `user:<id>`; `hub` for the hub itself. */
  from: string;
  /** An agent's name, `capability:<name>`, `user:<id>` or `hub`. */
  to: string;
  type: EnvelopeType;
  /** `execute`, `register`, `heartbeat`, `status_update`, `cancel`, `negotiate`, `stream_chunk`, or any other word. */
  action: string;
  payload: Json;
  trace: TraceContext;
  /** When the envelope was made, in epoch milliseconds. */
  timestamp: number;
  /** Id of the envelope that this one answers. */
  inReplyTo?: string;
  /** Id of the stream that this envelope is a piece of. */
  streamId?: string;
  /** Number of the piece, from 0. */
  seq?: number;
  /** True for the last piece of the stream. */
  final?: boolean;
  /** Milliseconds after which the envelope is no longer delivered; a day when absent. */
  ttl?: number;
  /** How many envelopes this one was derived from, one after the other, by programs alone. */
  hops?: number;
}

/** What a sender may leave out is filled in: `id`, `from`, `trace`, `timestamp`, `payload`. */
export type EnvelopeDraft = Pick<Envelope, "to" | "type" | "action"> & Partial<Envelope>;
