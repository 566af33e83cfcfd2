// The drafts that nearly everybody sends, checked without the schema, which costs more than the rest of sending one. What is not surely as
// plain as that is left to the schema: it alone refuses, and says why.
import { ENVELOPE_TYPES, type EnvelopeDraft } from "../core/envelope.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { MAX_ACTION_CHARS, MAX_ID_CHARS, MAX_PARTY_CHARS, PRINTABLE } from "../runtime/schemas/envelope.ts";

const FIELDS: ReadonlySet<string> = new Set([
  "id",
  "from",
  "to",
  "type",
  "action",
  "payload",
  "trace",
  "inReplyTo",
]);
const TRACE_FIELDS: ReadonlySet<string> = new Set(["traceId", "spanId", "parentId"]);
const TYPES: ReadonlySet<unknown> = new Set(ENVELOPE_TYPES);

/** Returns the draft as the schema would, in the same order; undefined when only the schema can decide. */
export function plainDraft(sent: unknown): EnvelopeDraft | undefined {
  if (!isJsonObject(sent)) return undefined;
  for (const key in sent) if (!FIELDS.has(key) || sent[key] === undefined) return undefined;
  const { id, from, to, type, action, payload, trace, inReplyTo } = sent;
  const isPlain =
    isName(to, MAX_PARTY_CHARS) &&
    TYPES.has(type) &&
    (id === undefined || isName(id, MAX_ID_CHARS)) &&
    (from === undefined || isName(from, MAX_PARTY_CHARS)) &&
    (inReplyTo === undefined || isName(inReplyTo, MAX_ID_CHARS)) &&
    (action === undefined || isText(action, 1, MAX_ACTION_CHARS)) &&
    (trace === undefined || isPlainTrace(trace));
  if (!isPlain) return undefined;
  const draft: Record<string, unknown> = {};
  if (id !== undefined) draft["id"] = id;
  if (from !== undefined) draft["from"] = from;
  draft["to"] = to;
  draft["type"] = type;
  if (action !== undefined) draft["action"] = action;
  if (payload !== undefined) draft["payload"] = payload;
  if (trace !== undefined) draft["trace"] = trace;
  if (inReplyTo !== undefined) draft["inReplyTo"] = inReplyTo;
  // Field by field what was checked above.
  return draft as unknown as EnvelopeDraft;
}

function isPlainTrace(trace: Json): boolean {
  if (!isJsonObject(trace)) return false;
  for (const key in trace) if (!TRACE_FIELDS.has(key) || !isText(trace[key], 0, MAX_ID_CHARS)) return false;
  return true;
}

function isName(value: unknown, maxChars: number): boolean {
  return isText(value, 1, maxChars) && PRINTABLE.test(value);
}

function isText(value: unknown, minChars: number, maxChars: number): value is string {
  return typeof value === "string" && value.length >= minChars && value.length <= maxChars;
}
