// What a door does with the envelopes that a client sends: fills in the trace of the request, sends, and says what became of each.
import { ProctorError, type ErrorCode } from "../../core/errors.ts";
import type { Caller } from "../../core/caller.ts";
import type { EnvelopeDraft } from "../../core/envelope.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Messages, Sent } from "../../core/ports/messages.ts";
import type { TraceOrigin } from "../../core/trace.ts";

export interface SentAnswer {
  id: string;
  from: string;
  receiver: string;
  created: boolean;
  run_id?: string;
}

export interface RefusedAnswer {
  id: string | null;
  error: { code: ErrorCode; message: string; details?: Json };
}

/** The trace that a request belongs to, for envelopes that name none. */
export interface RequestTrace {
  traceId: string;
  parentId?: string;
}

export function traceOfRequest({ traceId, parentSpanId }: TraceOrigin): RequestTrace {
  return { traceId, ...(parentSpanId !== undefined && { parentId: parentSpanId }) };
}

/** `value` may be anything; inboxes check it. */
export async function sendDraft(
  messages: Messages,
  value: Json,
  trace: RequestTrace | undefined,
  caller: Caller | undefined,
): Promise<SentAnswer> {
  if (!isJsonObject(value)) throw new ProctorError("INVALID_REQUEST", "an envelope must be a JSON object");
  // Checked when it is completed, field by field.
  const draft = (
    value["trace"] === undefined && trace ? { ...value, trace: { ...trace } } : value
  ) as EnvelopeDraft;
  return answerOf(await messages.send(draft, caller));
}

/** Sends all of them; a refused one does not hold up the others. */
export function sendDrafts(
  messages: Messages,
  values: readonly Json[],
  trace: RequestTrace | undefined,
  caller: Caller | undefined,
): Promise<(SentAnswer | RefusedAnswer)[]> {
  return Promise.all(
    values.map(async (value) => {
      try {
        return await sendDraft(messages, value, trace, caller);
      } catch (error) {
        return refusalOf(error, value);
      }
    }),
  );
}

/** Rethrows bugs. */
export function refusalOf(error: unknown, value: Json | undefined): RefusedAnswer {
  if (!ProctorError.is(error)) throw error;
  const { code, message, details } = error;
  const id = isJsonObject(value) && typeof value["id"] === "string" ? value["id"] : null;
  return { id, error: { code, message, ...(details !== undefined && { details }) } };
}

function answerOf({ envelope, receiver, created, run_id }: Sent): SentAnswer {
  const { id, from } = envelope;
  return { id, from, receiver, created, ...(run_id !== undefined && { run_id }) };
}
