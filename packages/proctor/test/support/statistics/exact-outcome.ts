// What a sequential gate does at some true rate, computed rather than drawn. For the tests of the gate and of its document.
import { anytimeTest } from "../../../src/suites/statistics/rate-test.ts";

interface ExactOutcome {
  pass: number;
  fail: number;
  /** On average, when it stops at the decision or at the last run. */
  runs: number;
}

/** Follows the probability of every count of passes that is still undecided. */
export function exactOutcome(threshold: number, error: number, rate: number, maxRuns: number): ExactOutcome {
  const test = anytimeTest(error);
  let open = new Float64Array(maxRuns + 2);
  open[0] = 1;
  const outcome = { pass: 0, fail: 0, runs: 0 };
  // The boundaries, as counts of passes. As the test is monotone, they move by at most one per run.
  let [passFrom, failTo] = [1, -1];
  for (let runs = 1; runs <= maxRuns; runs++) {
    outcome.runs += 1 - outcome.pass - outcome.fail;
    const next = new Float64Array(maxRuns + 2);
    for (let passed = 0; passed < runs; passed++) {
      const probability = open[passed] ?? 0;
      next[passed + 1] = (next[passed + 1] ?? 0) + probability * rate;
      next[passed] = (next[passed] ?? 0) + probability * (1 - rate);
    }
    if (passFrom > runs || !test.proves(threshold, passFrom, runs - passFrom)) passFrom++;
    if (test.proves(1 - threshold, runs - failTo - 1, failTo + 1)) failTo++;
    for (let passed = 0; passed <= runs; passed++) {
      if (passed > failTo && passed < passFrom) continue;
      outcome[passed <= failTo ? "fail" : "pass"] += next[passed] ?? 0;
      next[passed] = 0;
    }
    open = next;
  }
  return outcome;
}
