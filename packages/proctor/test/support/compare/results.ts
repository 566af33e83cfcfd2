// Results for tests: made of counts, or drawn with a seed.
import type { SeededRandom } from "../../../src/suites/statistics/seeded-random.ts";
import type { ResultCase, ResultRun, ResultSet } from "../../../src/suites/compare/comparison.ts";

export function resultRun(outcome: ResultRun["outcome"], more: Partial<ResultRun> = {}): ResultRun {
  return { outcome, score: null, duration_ms: null, total_tokens: null, cost_usd: null, ...more };
}

/** Passes first, then failures, then what could not be evaluated. */
export function resultCase(
  test_id: string,
  [passed, failed = 0, unevaluated = 0]: [number, number?, number?],
  more: Partial<ResultCase> = {},
): ResultCase {
  const runs = [
    ...Array.from({ length: passed }, () => resultRun("pass")),
    ...Array.from({ length: failed }, () => resultRun("fail")),
    ...Array.from({ length: unevaluated }, () => resultRun("unevaluated")),
  ];
  const outcome = failed > 0 ? "fail" : unevaluated > 0 ? "unevaluated" : "pass";
  return { suite: "smoke", test_id, agent: "a", key: "k", outcome, runs, ...more };
}

export function resultSet(cases: ResultCase[], name = "results"): ResultSet {
  return { name, created_at: "2026-01-01T00:00:00.000Z", cases };
}

/** Cases whose runs pass with these rates. */
export function drawnSet(random: SeededRandom, rates: readonly number[], runs: number): ResultSet {
  return resultSet(
    rates.map((rate, index) => {
      const drawn = Array.from({ length: runs }, () => {
        const outcome = random.next() < rate ? "pass" : "fail";
        const score = outcome === "pass" ? 80 + 20 * random.next() : 50 * random.next();
        return resultRun(outcome, {
          score,
          duration_ms: 100 + 100 * random.next(),
          cost_usd: 0.01 * random.next(),
        });
      });
      const outcome = drawn.every((run) => run.outcome === "pass") ? "pass" : "fail";
      return resultCase(`t${index}`, [0], { outcome, runs: drawn });
    }),
  );
}
