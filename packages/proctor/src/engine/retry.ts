// Whether another attempt follows.
import { isRetryable, type Failure } from "../core/failure.ts";
import type { TerminalStatus } from "../core/run.ts";
import type { RetryPolicy } from "../core/task.ts";

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
