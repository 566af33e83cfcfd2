// One answer of an agent, heard piece by piece: which kind it is, by its status and headers. What each kind says is in
// stream-hearing.ts and body-hearing.ts; where the pieces come from is the driver's business.
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import type { Failure } from "../../../core/failure.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { Dialogue } from "../dialogue.ts";
import { createErrorHearing, createJsonHearing, createTextHearing } from "./body-hearing.ts";
import type { Door } from "./doors.ts";
import {
  encodedBody,
  httpError,
  noContent,
  redirected,
  wrongContentType,
} from "../../../channels/http/failures.ts";
import { EVENT_STREAM, jsonTypeOf, parseMediaType } from "./media.ts";
import { createStreamHearing, type OnFrame } from "./stream-hearing.ts";

export interface Hearing {
  /** Takes a piece of the body, and returns what it reports. */
  take(chunk: Buffer): AgentReport[];
  /** True when nothing that may still come counts. */
  readonly done: boolean;
  /** How long to wait for the body of an answer that is known to be unusable, in milliseconds. */
  readonly patienceMs?: number;
  /** Called after the last piece. Returns the remaining reports, and the failure to use when the dialogue has no response. */
  finish(trouble: HttpTrouble | undefined): Verdict;
}

export interface Verdict {
  reports: AgentReport[];
  silence: Failure;
  /** True when the agent lacks this endpoint, so that the next is tried. */
  absent?: boolean;
}

/** Statuses with which a server says that it lacks this endpoint. */
const ABSENT = new Set([404, 405, 501]);
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

export function createHearing(
  { status, headers }: Omit<HttpAnswer, "body">,
  dialogue: Dialogue,
  door: Door,
  onFrame?: OnFrame,
): Hearing {
  const contentType = headers["content-type"];
  const type = parseMediaType(contentType);
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const encoded = encoding !== "identity" && encoding !== "";
  if (status >= 400) {
    const silence = httpError(status, door, headers["retry-after"]);
    const absent = ABSENT.has(status) && door.name !== "/execute";
    return encoded ? unheard(silence, absent) : createErrorHearing(dialogue, type, silence, absent);
  }
  if (status >= 300 && status !== NOT_MODIFIED) return unheard(redirected(status, headers.location, door));
  if (status >= 300) return unheard(httpError(status, door));
  if (status === NO_CONTENT) return unheard(noContent(door));
  if (encoded) return unheard(encodedBody(encoding, door));
  if (jsonTypeOf(type) !== undefined) return createJsonHearing(dialogue, headers["content-length"], door);
  if (type?.name === EVENT_STREAM && door.name !== "/execute") {
    return createStreamHearing(dialogue, door, onFrame);
  }
  return createTextHearing(wrongContentType(contentType, door, expectedOf(door)), type);
}

const expectedOf = ({ name }: Door): string => (name === "/execute" ? "JSON" : "an event stream or JSON");

/** Reads nothing, because the head of the answer is enough. */
function unheard(silence: Failure, absent = false): Hearing {
  return { take: () => [], done: true, finish: () => ({ reports: [], silence, absent }) };
}
