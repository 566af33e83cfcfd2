// Whether and when an LLM that failed is asked again.

/** Why an attempt failed, in words that follow "the LLM at …". */
export class LlmTrouble extends Error {
  readonly mayRetry: boolean;
  /** What the other side asks for. */
  readonly waitMs: number | undefined;

  constructor(message: string, options: { mayRetry?: boolean; waitMs?: number } = {}) {
    super(message);
    this.mayRetry = options.mayRetry ?? false;
    this.waitMs = options.waitMs;
  }
}

const FIRST_MS = 500;
const LONGEST_MS = 8000;
/** Who asks for more has nothing to give for now. */
const MAX_ASKED_MS = 60_000;
const RETRIED = new Set([408, 409, 429]);

export function mayRetryStatus(status: number): boolean {
  return RETRIED.has(status) || status >= 500;
}

/** Undefined when it is not worth trying again. `attempts` counts those made so far. */
export function retryDelayMs({ mayRetry, waitMs }: LlmTrouble, attempts: number): number | undefined {
  if (!mayRetry) return undefined;
  if (waitMs !== undefined) return waitMs > MAX_ASKED_MS ? undefined : waitMs;
  const delayMs = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
  // Many that failed together do not come back together.
  return delayMs * (0.75 + Math.random() / 4);
}

/** What the headers of an answer ask for: seconds, or a date. */
export function retryAfterMs(headers: Headers, nowMs = Date.now()): number | undefined {
  const exact = headers.get("retry-after-ms") ?? "";
  if (/^\d{1,12}(?:\.\d+)?$/.test(exact)) return Number(exact);
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
