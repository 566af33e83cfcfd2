// An agent's answer that is one body: its response as JSON, an error, or something nobody asked for.
import { isUtf8 } from "node:buffer";
import { wholeCharacters } from "../../../core/whole-characters.ts";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { Json } from "../../../core/json.ts";
import { isTooDeep } from "../../../core/json-depth.ts";
import { inexactViolations } from "../../../core/json-numbers.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { Dialogue } from "../dialogue.ts";
import { createAtpReader } from "../reader.ts";
import { createReportList } from "../report-list.ts";
import type { Door } from "./doors.ts";
import { troubleFailure } from "../../../channels/http/failures.ts";
import type { Hearing } from "./hearing.ts";
import type { MediaType } from "./media.ts";

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Bytes of a body that is no response which go into the log. */
const EXCERPT_BYTES = 8 * 1024;
/** Milliseconds to wait for such a body when the head of the answer already refuses the task. */
const PATIENCE_MS = 1000;

/** Reads the response as JSON. */
export function createJsonHearing(dialogue: Dialogue, length: string | undefined, door: Door): Hearing {
  const body = collect(MAX_RESPONSE_BYTES);
  // Not worth waiting for when its length says so.
  if (Number(length) > MAX_RESPONSE_BYTES) body.overflow();
  return {
    take: (chunk) => body.take(chunk),
    get done() {
      return body.overflowed;
    },
    finish(trouble) {
      if (body.overflowed) return { reports: [], silence: tooLarge() };
      if (trouble) return { reports: body.excerpt(), silence: troubleFailure(trouble, door) };
      const bytes = body.bytes();
      const reports: AgentReport[] = [];
      if (!isUtf8(bytes)) {
        reports.push(
          ...dialogue.object({ rule: "line.encoding", message: "not valid UTF-8", where: "body" }),
        );
      }
      const text = bytes.toString();
      if (text.trim() === "") {
        return {
          reports,
          silence: failure("NO_RESPONSE", `the agent answered ${door.name} with an empty body`),
        };
      }
      const message = parseMessage(text);
      reports.push(
        ...(message === undefined
          ? dialogue.object({
              rule: "atp.json",
              message: "not valid JSON, or nested too deeply",
              where: "body",
            })
          : dialogue.hear(message, "response")),
      );
      if (message !== undefined) {
        for (const violation of inexactViolations(text)) reports.push(...dialogue.object(violation));
      }
      if (!dialogue.answered) reports.push(...body.excerpt());
      const silence = failure(
        "INVALID_RESPONSE",
        `the agent's answer to ${door.name} is not an ATP response`,
      );
      return { reports, silence };
    },
  };
}

/** Reads the body of an error status, which counts if it is a response; otherwise its beginning is logged. */
export function createErrorHearing(
  dialogue: Dialogue,
  type: MediaType | undefined,
  silence: Failure,
  absent: boolean,
): Hearing {
  // Documents end before the limit, other bodies are only looked at.
  const body = collect(type?.name.endsWith("json") === true ? MAX_RESPONSE_BYTES : EXCERPT_BYTES);
  return {
    take: (chunk) => body.take(chunk),
    get done() {
      return body.overflowed;
    },
    patienceMs: PATIENCE_MS,
    finish(trouble: HttpTrouble | undefined) {
      const message = trouble || body.overflowed ? undefined : parseMessage(body.bytes().toString());
      if (message !== undefined && createAtpReader("").readMessage(message.json).kind === "response") {
        return { reports: dialogue.hear(message, "response"), silence };
      }
      return { reports: absent || !isReadable(type) ? [] : body.excerpt(), silence, absent };
    },
  };
}

/** Reads a body of another type, of which only the beginning is wanted. */
export function createTextHearing(silence: Failure, type: MediaType | undefined): Hearing {
  const body = collect(EXCERPT_BYTES);
  return {
    take: (chunk) => body.take(chunk),
    get done() {
      return body.overflowed || !isReadable(type);
    },
    patienceMs: PATIENCE_MS,
    finish: () => ({ reports: isReadable(type) ? body.excerpt() : [], silence }),
  };
}

interface Collected {
  take(chunk: Buffer): AgentReport[];
  readonly overflowed: boolean;
  overflow(): void;
  bytes(): Buffer;
  /** Returns the beginning as a log entry, if it is text. */
  excerpt(): AgentReport[];
}

/** Keeps a body up to a limit; of a longer one, no more than an excerpt needs. */
function collect(limitBytes: number): Collected {
  let chunks: Buffer[] = [];
  let size = 0;
  let overflowed = false;
  return {
    take(chunk) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limitBytes) {
        overflowed = true;
        chunks = [Buffer.concat(chunks, EXCERPT_BYTES)];
      }
      return [];
    },
    get overflowed() {
      return overflowed;
    },
    overflow() {
      overflowed = true;
    },
    bytes: () => Buffer.concat(chunks),
    excerpt() {
      const head = Buffer.concat(chunks, Math.min(size, EXCERPT_BYTES));
      const kept = size > head.length ? wholeCharacters(head) : head.length;
      const text = head.toString("utf8", 0, kept).trimEnd();
      if (text === "" || !isUtf8(head.subarray(0, kept))) return [];
      const reports = createReportList();
      reports.log("message", text, size - kept);
      return reports.list;
    },
  };
}

function parseMessage(text: string): { json: Json } | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return { json: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function isReadable(type: MediaType | undefined): boolean {
  return type === undefined || /^text\/|[/+](json|xml)$/.test(type.name);
}

function tooLarge(): Failure {
  return failure("INVALID_RESPONSE", `the agent's response is larger than ${MAX_RESPONSE_BYTES} bytes`);
}
