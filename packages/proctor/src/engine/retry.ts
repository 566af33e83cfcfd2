// Whether another attempt follows, and after how long. Pure: the caller brings the random number.
import { isRetryable, type Failure } from "../core/failure.ts";
import type { TerminalStatus } from "../core/run.ts";
import type { RetryPolicy } from "../core/task.ts";

const DEFAULTS = { initial_delay_ms: 1000, max_delay_ms: 60_000, multiplier: 2 };

export function shouldRetry(
  policy: RetryPolicy | null,
  attempt: number,
  status: TerminalStatus,
  failed: Failure | undefined,
): boolean {
  if (policy === null || attempt >= policy.max_attempts) return false;
  if (status !== "failed" && status !== "timeout") return false;
  const code = failed?.code ?? "INTERNAL_ERROR";
  return policy.on ? policy.on.includes(code) : isRetryable(code);
}

/** Exponential, capped, with full jitter in its upper half, so that retries of many runs spread out. */
export function retryDelayMs(policy: RetryPolicy, attempt: number, random: number): number {
  const { initial_delay_ms: initial, max_delay_ms: max, multiplier } = { ...DEFAULTS, ...policy };
  const delay = Math.min(max, initial * multiplier ** (attempt - 1));
  return Math.round(delay / 2 + (delay / 2) * random);
}
