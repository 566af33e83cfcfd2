// Runs that infrastructure broke, not the agent: which they are, and how long to wait before the next try.
import type { Failure } from "../../core/failure.ts";
import type { AttemptResult } from "../result.ts";

export interface Trouble {
  /** The agent asked for fewer requests: all of its runs wait, not only this one. */
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
/** Codes that agents themselves use for it. */
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
  // Half of it by chance: those that were refused together do not come back together.
  const backOff = Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS) * (0.5 + random() / 2);
  return { rateLimited, delayMs: Math.min(askedFor(failure) ?? backOff, MAX_DELAY_MS) };
}

function askedFor({ details }: Failure): number | undefined {
  const seconds = details?.["retry_after_seconds"];
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
}
