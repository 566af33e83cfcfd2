// What a recorded agent did, without its transport: what it said, which tools it called, how it left. So a recording of a program
// can be served over HTTP, and the other way round.
import { isJsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import {
  isRecordedCall,
  type RecordedCall,
  type RecordedMessage,
  type Recording,
} from "../../core/recording.ts";

export interface Saying {
  kind: "say";
  /** Kind of message to an ATP client; `other` is garbage or unknown. */
  role: "event" | "response" | "other";
  text: string;
  /** True when a fault made the text unreadable. */
  spoiled?: boolean;
}

export type Step =
  | Saying
  | { kind: "call"; call: RecordedCall }
  /** Waits as long as the agent took when it was recorded. */
  | { kind: "pass"; ms: number }
  /** Waits as long as a fault says. */
  | { kind: "wait"; ms: number }
  | { kind: "cut" }
  | { kind: "stall" };

export interface Part {
  steps: Step[];
  /** An answer over HTTP that was not a message: an error page, a picture. */
  answer?: { status: number; contentType: string | undefined; body: string };
  /** Exit code of the agent's program. */
  exitCode: number;
}

/** Channels on which an agent speaks. */
const SPOKEN: ReadonlySet<string> = new Set(["stdout", "stderr", "sse", "body", "frame", "message"]);

export function partOf({ entries, end }: Recording): Part {
  const steps: Step[] = [];
  let clockMs = 0;
  let head: RecordedMessage | undefined;
  let answer: Part["answer"];
  for (const entry of entries) {
    if (entry.at_ms > clockMs) steps.push({ kind: "pass", ms: entry.at_ms - clockMs });
    clockMs = Math.max(clockMs, entry.at_ms);
    if (isRecordedCall(entry)) {
      steps.push({ kind: "call", call: entry });
      continue;
    }
    if (entry.direction !== "received") continue;
    const { channel, text } = entry;
    if (channel === "head") {
      // Where the first path did not exist, the answer at the next one counts.
      head = entry;
      answer = undefined;
    }
    if (head !== undefined && isNoMessage(head) && (channel === "head" || channel === "body")) {
      const { status = 200, content_type: contentType } = head;
      answer = { status, contentType, body: channel === "body" ? text : "" };
    } else if (SPOKEN.has(channel) && text !== "") {
      steps.push({ kind: "say", role: roleOf(text), text });
    } else if (channel === "close" && isCut(entry)) steps.push({ kind: "cut" });
  }
  return { steps, exitCode: exitCodeOf(end), ...(answer && { answer }) };
}

/** Whether the status or the content type shows that the answer is not a message. */
function isNoMessage({ status, content_type = "" }: RecordedMessage): boolean {
  return status !== undefined && (status >= 300 || !/json|event-stream/i.test(content_type));
}

const CLEAN: ReadonlySet<string> = new Set(["end", "lingered", "not-started"]);
const CLEAN_CODES: ReadonlySet<number | undefined> = new Set([1000, 1001, 1005]);

function isCut({ name = "end", status }: RecordedMessage): boolean {
  return name === "closed" ? !CLEAN_CODES.has(status) : !CLEAN.has(name);
}

function roleOf(text: string): Saying["role"] {
  if (isTooDeep(text)) return "other";
  try {
    const message: unknown = JSON.parse(text);
    if (!isJsonObject(message)) return "other";
    if (typeof message["event_type"] === "string") return "event";
    return typeof message["status"] === "string" ? "response" : "other";
  } catch {
    return "other";
  }
}

function exitCodeOf(end: Recording["end"]): number {
  if (end?.signal !== undefined) return 1;
  const { exit_code: code = 0 } = end ?? {};
  return code >= 0 && code <= 255 ? code : 1;
}
