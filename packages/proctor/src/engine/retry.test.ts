import { describe, expect, it } from "vitest";
import { failure } from "../core/failure.ts";
import { retryDelayMs } from "../core/retry-delay.ts";
import { shouldRetry } from "./retry.ts";

const crashed = failure("AGENT_CRASHED", "x");

describe("the retry policy", () => {
  it("tries again after retryable failures, up to max_attempts", () => {
    const policy = { max_attempts: 3 };
    expect([1, 2, 3].map((attempt) => shouldRetry(policy, attempt, "failed", crashed))).toEqual([
      true,
      true,
      false,
    ]);
    expect(shouldRetry(null, 1, "failed", crashed)).toBe(false);
  });

  it("does not try again what would fail the same way, what was cancelled, or what succeeded", () => {
    const policy = { max_attempts: 9 };
    expect(shouldRetry(policy, 1, "failed", failure("BUDGET_EXCEEDED", "x"))).toBe(false);
    expect(shouldRetry(policy, 1, "cancelled", failure("CANCELLED", "x"))).toBe(false);
    expect(shouldRetry(policy, 1, "completed", undefined)).toBe(false);
    expect(shouldRetry(policy, 1, "partial", undefined)).toBe(false);
  });

  it("lets the policy name the codes", () => {
    const policy = { max_attempts: 2, on: ["TIMEOUT"] };
    expect(shouldRetry(policy, 1, "timeout", failure("TIMEOUT", "x"))).toBe(true);
    expect(shouldRetry(policy, 1, "failed", crashed)).toBe(false);
  });

  it("waits longer each time, never beyond the cap, never less than half", () => {
    const policy = { max_attempts: 9, initial_delay_ms: 100, max_delay_ms: 350 };
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(policy, attempt, 1))).toEqual([100, 200, 350, 350]);
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(policy, attempt, 0))).toEqual([50, 100, 175, 175]);
  });
});
