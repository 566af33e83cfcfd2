// How a request to a model fails, as failures of its run, and which of them are worth another try. What a server says about an error is
// shown without anything that looks like a key: servers quote parts of keys that no search for the whole finds.
import type { IncomingHttpHeaders } from "node:http";
import { httpError, type Asked } from "../../channels/http/failures.ts";
import { failure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { AgentEnd } from "../../core/ports/driver.ts";

const MAX_MESSAGE_CHARS = 1000;
const HIDDEN = "***";

/** Content of an error's body, `{error: {message, type, code}}` or one of the shorter forms of other servers. */
export interface SaidError {
  message?: string;
  /** The server's own word for the error. */
  code?: string;
}

export function saidError(error: Json | undefined): SaidError {
  if (typeof error === "string") return { message: error };
  if (!isJsonObject(error)) return {};
  const { message, code, type } = error;
  const word = [code, type].find((value) => typeof value === "string");
  return {
    ...(typeof message === "string" && { message }),
    ...(word !== undefined && { code: word }),
  };
}

/** Returns true for statuses of a server that may answer the next time. */
export function isWorthRetrying(status: number, { code }: SaidError): boolean {
  return (status === 429 && code !== "insufficient_quota") || status >= 500;
}

/** Seconds that the server asks to wait; undefined when it does not say. */
export function retryAfterSeconds(headers: IncomingHttpHeaders): number | undefined {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms / 1000;
  const seconds = httpError(0, { name: "" }, headers["retry-after"]).details?.["retry_after_seconds"];
  return typeof seconds === "number" ? seconds : undefined;
}

/** Returns the end of a run whose model answered with an error status. */
export function refusedEnd(
  { status, headers }: { status: number; headers: IncomingHttpHeaders },
  said: SaidError,
  asked: Asked,
  secrets: readonly string[],
): AgentEnd {
  const { message, details } = httpError(status, asked, headers["retry-after"]);
  const words = shownMessage(said, secrets);
  const text = words === undefined ? message : `${message}: ${words}`;
  if (isFiltered(said)) return { status: "rejected", failure: failure("REJECTED", text, details) };
  const code = status === 429 || status >= 500 ? "LLM_ERROR" : "HTTP_ERROR";
  return { status: "failed", failure: failure(code, text, details) };
}

/** Returns the end for an error in place of an answer, or in the middle of one. */
export function brokenOff(error: Json, secrets: readonly string[]): AgentEnd {
  const said = saidError(error);
  const words = shownMessage(said, secrets);
  const text = `the model reports an error${words === undefined ? "" : `: ${words}`}`;
  if (isFiltered(said)) return { status: "rejected", failure: failure("REJECTED", text) };
  return { status: "failed", failure: failure("LLM_ERROR", text) };
}

/** Returns how a finished answer ends the run. */
export function endOf(finishReason: string | undefined, refusal: string): AgentEnd {
  if (refusal !== "") return { status: "rejected", failure: failure("REJECTED", refusalText(refusal)) };
  switch (finishReason) {
    case "length":
      return {
        status: "partial",
        failure: failure(
          "LLM_ERROR",
          "the model stopped at its limit of tokens, before the end of its answer",
          {
            finish_reason: "length",
          },
        ),
      };
    case "content_filter":
      return {
        status: "rejected",
        failure: failure("REJECTED", "a content filter stopped the model's answer", {
          finish_reason: "content_filter",
        }),
      };
    default:
      return { status: "completed" };
  }
}

function refusalText(refusal: string): string {
  return `the model refused: ${refusal.length > MAX_MESSAGE_CHARS ? `(${refusal.length} characters)` : refusal}`;
}

function isFiltered({ code }: SaidError): boolean {
  return code === "content_filter" || code === "content_policy_violation";
}

/** Kept whole or not at all: half a secret would not be recognised. */
function shownMessage({ message }: SaidError, secrets: readonly string[]): string | undefined {
  if (message === undefined || message.trim() === "") return undefined;
  return message.length > MAX_MESSAGE_CHARS
    ? `(a message of ${message.length} characters)`
    : withoutKeys(message.trim(), secrets);
}

const WORD = /[^\s"'`,;()[\]{}<>]+/g;
/** Matches words with such a beginning, or with a part that is starred or dotted out. */
const KEY = /^(?:sk|pk|rk|key|api|token|bearer|gsk|xai|AIza)[-_][\w*.-]{6,}|\w*\*{3,}\w*|\w{2,}\.{3,}\w{2,}/i;
const SHARED_CHARS = 4;

/** Returns the text without the words that are keys, look like keys, or begin or end as one of the secrets does. */
export function withoutKeys(text: string, secrets: readonly string[]): string {
  const ends = secrets
    .flatMap((secret) => secret.split(/\s+/))
    .filter(({ length }) => length >= 2 * SHARED_CHARS)
    .map((word) => ({ word, head: word.slice(0, SHARED_CHARS), tail: word.slice(-SHARED_CHARS) }));
  return text.replaceAll(WORD, (found) => {
    const word = found.replace(/[.:!?]+$/, "");
    const isPart = ends.some(
      (secret) =>
        word.includes(secret.word) ||
        (word.length > SHARED_CHARS && (word.startsWith(secret.head) || word.endsWith(secret.tail))),
    );
    return isPart || KEY.test(word) ? `${HIDDEN}${found.slice(word.length)}` : found;
  });
}
