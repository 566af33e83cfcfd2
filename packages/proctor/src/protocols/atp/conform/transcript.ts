// What an agent said in one exchange, in the order in which it arrived, and what each message is by its shape. Bounded: an
// agent that does not stop talking is cut off.
import type { JsonObject } from "../../../core/json.ts";
import { parseObject } from "../../../core/parse-object.ts";

export interface Message {
  text: string;
  /** Where the message came from: a pipe, a whole body, or one frame of a stream or socket. */
  channel: "stdout" | "stderr" | "body" | "frame";
  kind: "event" | "response" | "other";
  /** The parsed message, when it is a JSON object. */
  json?: JsonObject;
  /** The name that the transport gives the message, if it has names. */
  name?: string;
  /** The id of the SSE frame. */
  id?: string;
  /** Milliseconds after the request was sent. */
  atMs: number;
}

export interface Transcript {
  readonly messages: readonly Message[];
  /** True when the limits are reached; further messages are not kept. */
  readonly full: boolean;
  add(message: Pick<Message, "text" | "channel" | "name" | "id">): Message;
}

const MAX_CHARS = 64 * 1024 * 1024;
const MAX_MESSAGES = 20_000;

export function createTranscript(): Transcript {
  const startedAt = performance.now();
  const messages: Message[] = [];
  let chars = 0;
  return {
    messages,
    get full() {
      return chars > MAX_CHARS || messages.length >= MAX_MESSAGES;
    },
    add(given) {
      const json = parseObject(given.text);
      const message: Message = {
        ...given,
        kind: json === undefined ? "other" : kindOf(json, given.name),
        ...(json !== undefined && { json }),
        atMs: performance.now() - startedAt,
      };
      chars += given.text.length;
      if (chars <= MAX_CHARS && messages.length < MAX_MESSAGES) messages.push(message);
      return message;
    },
  };
}

const EVENT_FIELDS = ["sequence", "timestamp", "payload"];
const RESPONSE_FIELDS = ["artifacts", "metrics", "error"];

/** Returns the intended kind of a message: one that lacks a required field is still of its kind, and wrong. */
function kindOf(json: JsonObject, name: string | undefined): Message["kind"] {
  const has = (field: string): boolean => Object.hasOwn(json, field);
  if (has("event_type")) return "event";
  if (has("status")) return "response";
  if (name === "event" || name === "response") return name;
  if (EVENT_FIELDS.filter(has).length >= 2) return "event";
  return RESPONSE_FIELDS.filter(has).length >= 2 ? "response" : "other";
}
