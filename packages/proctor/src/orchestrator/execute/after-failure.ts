// What follows when a sub-task's run did not complete. Pure: the caller brings the random number.
import { isRetryable } from "../../core/failure.ts";
import type { SubtaskAttempt } from "../../core/goal.ts";
import type { PlanTask } from "../../core/plan.ts";
import type { RetryPolicy } from "../../core/task.ts";
import { retryDelayMs } from "../../core/retry-delay.ts";

export type NextStep =
  | { kind: "retry"; delayMs: number }
  | { kind: "fallback" }
  /** The hub stopped while the agent was at work, and doing it twice may do harm. */
  | { kind: "lost" }
  | { kind: "fail" };

const DEFAULT_RETRY: RetryPolicy = { max_attempts: 3 };

export function nextStep(
  task: Pick<PlanTask, "retry" | "on_failure">,
  attempts: readonly Pick<SubtaskAttempt, "failure" | "status" | "route">[],
  isIdempotent: boolean,
  random: number,
): NextStep {
  const policy = task.retry ?? DEFAULT_RETRY;
  const last = attempts.at(-1);
  const code = last?.failure?.code ?? "INTERNAL_ERROR";
  const wasFallback = last?.route?.by === "fallback";
  if (code === "INTERRUPTED") {
    const again = isIdempotent || policy.on?.includes("INTERRUPTED") === true;
    return again ? { kind: "retry", delayMs: 0 } : { kind: "lost" };
  }
  // A stop of the hub is not the agent's fault and does not count as one of its attempts.
  const failures = attempts.filter(({ failure }) => failure !== undefined && failure.code !== "INTERRUPTED");
  // It is unknown how far an agent came that was lost while it worked, which does not matter where doing it twice does no harm.
  const isHarmless = isIdempotent && code === "CONNECTION_LOST";
  const isWorthIt = policy.on === undefined ? isRetryable(code) || isHarmless : policy.on.includes(code);
  if (isWorthIt && failures.length < policy.max_attempts && !wasFallback)
    return { kind: "retry", delayMs: retryDelayMs(policy, failures.length, random) };
  return task.on_failure === "fallback" && !wasFallback ? { kind: "fallback" } : { kind: "fail" };
}
