// Runs that infrastructure broke, not the agent: which they are, and how long to wait before the next try.
import type { Failure } from "../../core/failure.ts";
import type { AttemptResult } from "../result.ts";

export interface Trouble {
  /** Whether the agent asked for fewer requests, so that all of its runs wait and not only this one. */
  rateLimited: boolean;
  delayMs: number;
}

const BROKEN = new Set([
  "UNREACHABLE",
  "CONNECTION_LOST",
  "INTERRUPTED",
  "WORKSPACE_FAILED",
  "TOOLS_FAILED",
  "MODEL_FAILED",
  "ENVIRONMENT_FAILED",
]);
const OVERLOADED = new Set([429, 502, 503, 504]);
/** Error codes with which agents report such trouble themselves. */
const RATE_LIMITED = /^(?:RATE_LIMITED|RATE_LIMIT_EXCEEDED|TOO_MANY_REQUESTS)$/i;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** Undefined when the result is the agent's own. `tries` counts those that were made before this one. */
export function troubleOf(
  { failure, status }: AttemptResult,
  tries: number,
  random: () => number,
): Trouble | undefined {
  if (status === "completed" || status === "partial" || failure === undefined) return undefined;
  const http = failure.code === "HTTP_ERROR" ? Number(failure.details?.["status"]) : 0;
  const rateLimited = http === 429 || RATE_LIMITED.test(failure.code);
  if (!rateLimited && !OVERLOADED.has(http) && !BROKEN.has(failure.code)) return undefined;
  // Half of the delay is random, so that runs that were refused together do not come back together.
  const backOff = Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS) * (0.5 + random() / 2);
  return { rateLimited, delayMs: Math.min(askedFor(failure) ?? backOff, MAX_DELAY_MS) };
}

function askedFor({ details }: Failure): number | undefined {
  const seconds = details?.["retry_after_seconds"];
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
}
