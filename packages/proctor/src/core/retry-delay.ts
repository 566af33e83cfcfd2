// How long to wait before another attempt. Pure: the caller brings the random number.
import type { RetryPolicy } from "./task.ts";

const DEFAULTS = { initial_delay_ms: 1000, max_delay_ms: 60_000, multiplier: 2 };

/** Returns an exponential delay, capped, with full jitter in its upper half, so that retries of many runs spread out. */
export function retryDelayMs(policy: RetryPolicy, attempt: number, random: number): number {
  const { initial_delay_ms: initial, max_delay_ms: max, multiplier } = { ...DEFAULTS, ...policy };
  const delay = Math.min(max, initial * multiplier ** (attempt - 1));
  return Math.round(delay / 2 + (delay / 2) * random);
}
