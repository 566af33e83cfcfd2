// Envelopes in the body of an answer: one, a list, or a stream of them as server-sent events or lines.
import { createLineSplitter } from "../../channels/lines/split-lines.ts";
import { createSseParser } from "../../channels/sse/parse-sse.ts";
import type { Envelope, EnvelopeDraft } from "../../core/envelope.ts";
import { ENVELOPE_TYPES } from "../../core/envelope.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { isJsonObject, type Json } from "../../core/json.ts";

export const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const SSE_TYPE = /^text\/event-stream\s*(?:;|$)/i;
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl|json-lines)\s*(?:;|$)/i;

/** Content of a stream's frame: an envelope, or text that is not one. */
export type Heard = { envelope: Envelope } | { garbage: string };

export interface EnvelopeFrames {
  push(chunk: Buffer): Heard[];
  end(): Heard[];
}

/** Returns undefined for a body that is not a stream. */
export function framesOf(contentType: string): EnvelopeFrames | undefined {
  if (SSE_TYPE.test(contentType)) {
    const parser = createSseParser();
    const hear = (each: ReturnType<typeof parser.push>): Heard[] =>
      each.flatMap((message) =>
        message.kind === "message"
          ? hearText(message.data)
          : message.kind === "oversized"
            ? [{ garbage: "(too long)" }]
            : [],
      );
    return { push: (chunk) => hear(parser.push(chunk)), end: () => hear(parser.unfinished()) };
  }
  if (!LINES_TYPE.test(contentType)) return undefined;
  const splitter = createLineSplitter();
  const hear = (lines: ReturnType<typeof splitter.push>): Heard[] =>
    lines.flatMap((line) => (line.kind === "overlong" ? [{ garbage: "(too long)" }] : hearText(line.text)));
  return { push: (chunk) => hear(splitter.push(chunk)), end: () => hear(splitter.end()) };
}

/** Returns the content of a text: an envelope, a list of them, garbage, or nothing. */
export function hearText(text: string): Heard[] {
  if (text.trim() === "") return [];
  const value = parse(text);
  if (Array.isArray(value)) return value.flatMap((each) => hearValue(each, text));
  return hearValue(value, text);
}

function hearValue(value: Json | undefined, text: string): Heard[] {
  return isEnvelopeLike(value) ? [{ envelope: fill(value) }] : [{ garbage: text }];
}

/** Returns whether the value was meant as an envelope. */
export function isEnvelopeLike(value: Json | undefined): value is EnvelopeDraft {
  return isJsonObject(value) && (ENVELOPE_TYPES as readonly (Json | undefined)[]).includes(value["type"]);
}

/** Fills in what the agent left out: the other end of a connection is known. */
function fill(draft: EnvelopeDraft): Envelope {
  const { trace, timestamp = 0, payload = null, id = "", from = "", ...rest } = draft;
  return {
    ...rest,
    id,
    from,
    payload,
    timestamp,
    // Absent where the agent keeps none; it is not read here.
    trace: trace ?? { traceId: "", spanId: "" },
    action:
      typeof draft.action === "string" ? draft.action : draft.type === "stream_chunk" ? "stream_chunk" : "",
  };
}

function parse(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
