// Envelopes between JSON and the messages of envelope.proto. What has no field there travels in `extensions`.
import { create, fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import type { Envelope as CoreEnvelope } from "../../../core/envelope.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { InboxEntry } from "../../../core/ports/messages.ts";
import type { RefusedAnswer, SentAnswer } from "../send-drafts.ts";
import {
  EnvelopeSchema,
  ReceiveResponseSchema,
  RefusedSchema,
  SendResponseSchema,
  type Envelope,
  type ReceiveResponse,
  type Refused,
  type SendResponse,
} from "./gen/proctor/envelope/v1/envelope_pb.ts";

const FIELDS: ReadonlySet<string> = new Set(EnvelopeSchema.fields.map(({ jsonName }) => jsonName));
const TRACE_FIELDS = new Set(["traceId", "spanId", "parentId", "originalTraceId"]);
/** Whole numbers of 64 bits are texts in protobuf's JSON. */
const LONG = ["timestamp", "ttl"] as const;

/** Decodes to JSON, which inboxes check. */
export function decodeEnvelope(message: Envelope): Json {
  // A message without an Any has JSON whatever it holds.
  const { extensions, ...json } = toJson(EnvelopeSchema, message) as JsonObject;
  for (const name of LONG) if (json[name] !== undefined) json[name] = Number(json[name]);
  return { ...(isJsonObject(extensions) && extensions), ...json };
}

function encodeEnvelope(envelope: CoreEnvelope): Envelope {
  const known = Object.entries(envelope).filter(([name]) => FIELDS.has(name) && name !== "extensions");
  const others = Object.entries(envelope).filter(([name]) => !FIELDS.has(name) || name === "extensions");
  const trace = Object.fromEntries(Object.entries(envelope.trace).filter(([name]) => TRACE_FIELDS.has(name)));
  // Everything in an envelope is JSON.
  const json = { ...Object.fromEntries(known), trace } as JsonObject;
  const extensions = others.length > 0 ? { extensions: Object.fromEntries(others) } : {};
  return fromJson(EnvelopeSchema, { ...json, ...extensions } as JsonValue);
}

export function encodeEntry({ position, envelope, deliveries }: InboxEntry): ReceiveResponse {
  return create(ReceiveResponseSchema, {
    position: BigInt(position),
    envelope: encodeEnvelope(envelope),
    deliveries,
  });
}

export function encodeSent({ id, from, receiver, created, run_id: runId }: SentAnswer): SendResponse {
  return create(SendResponseSchema, { id, from, receiver, created, ...(runId !== undefined && { runId }) });
}

export function encodeRefused({ id, error }: RefusedAnswer): Refused {
  const { code, message } = error;
  return create(RefusedSchema, { code, message: message.toWellFormed(), ...(id !== null && { id }) });
}
