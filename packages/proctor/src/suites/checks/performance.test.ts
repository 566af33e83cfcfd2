import { describe, expect, test } from "vitest";
import type { AttemptResult } from "../result.ts";
import type { Verdict } from "../verdict.ts";
import { findCaseCheck } from "./registry.ts";

/** Only what the check looks at. */
const runs = (...seconds: (number | undefined)[]): AttemptResult[] =>
  seconds.map(
    (time) => ({ metrics: time === undefined ? {} : { wall_time_seconds: time } }) as AttemptResult,
  );

function judge(config: object, attempts: AttemptResult[]): Verdict {
  const found = findCaseCheck("performance");
  if (!found) throw new Error("no check performance");
  return found.bind(found.config.parse(config))(attempts);
}

const limits = (thresholds: object, attempts: AttemptResult[]): Verdict => judge({ thresholds }, attempts);

describe("the check performance", () => {
  // Quantiles of type 7 of 1, 2, 3, 4: 2.5 in the middle, 3.85 at 95 %, 3.97 at 99 %.
  const four = runs(4, 2, 1, 3);

  test.each<[object, string, string]>([
    [{ max_latency_p50_ms: 2500 }, "pass", "p50 2500 ms, at most 2500 expected (4 runs)"],
    [{ max_latency_p50_ms: 2499 }, "fail", "p50 2500 ms, at most 2499 expected (4 runs)"],
    [{ max_latency_p95_ms: 3850 }, "pass", "p95 3850 ms, at most 3850 expected (4 runs)"],
    [{ max_latency_p95_ms: 3849 }, "fail", "p95 3850 ms, at most 3849 expected (4 runs)"],
    [{ max_latency_p99_ms: 3969 }, "fail", "p99 3970 ms, at most 3969 expected (4 runs)"],
    [{ max_latency_mean_ms: 2500 }, "pass", "mean 2500 ms, at most 2500 expected (4 runs)"],
    [{ max_total_duration_seconds: 3.9 }, "fail", "longest 4 s, at most 3.9 expected (4 runs)"],
    [
      { max_latency_p50_ms: 1, max_latency_p95_ms: 9000, max_latency_mean_ms: 2 },
      "fail",
      "p50 2500 ms, at most 1 expected; mean 2500 ms, at most 2 expected (4 runs)",
    ],
  ])("with %j is %s", (thresholds, outcome, message) => {
    expect(limits(thresholds, four)).toEqual({ outcome, message });
  });

  test("says how many runs it judged, and is unevaluated where there are none", () => {
    expect(limits({ max_latency_p99_ms: 5000 }, runs(1, undefined)).message).toBe(
      "p99 1000 ms, at most 5000 expected (1 run, 1 more without a time)",
    );
    expect(limits({ max_latency_p99_ms: 5000 }, runs(undefined)).outcome).toBe("unevaluated");
    expect(limits({ max_latency_p99_ms: 5000 }, []).outcome).toBe("unevaluated");
  });

  test("refuses what it cannot judge", () => {
    expect(() => judge({}, four)).toThrow("thresholds");
    expect(() => limits({}, four)).toThrow("at least one limit");
    expect(() => limits({ max_memory_usage_mb: 1 }, four)).toThrow("nobody measures this");
    const thresholds = { max_latency_p50_ms: 1 };
    expect(() => judge({ thresholds, baseline: { n_samples: 3 } }, four)).toThrow("baseline");
    expect(judge({ thresholds, significance_level: 0.05 }, four).outcome).toBe("fail");
  });
});
