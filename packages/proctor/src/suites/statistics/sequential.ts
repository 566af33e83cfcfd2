// The gate on a pass rate: is it at least the rate asked for? It says pass or fail when the outcomes prove it, else undecided.
//
// The counts must be those of the first n runs in the order in which they were started. With parallel runs, the order in which they
// end depends on the outcome (a crash is quick, a timeout is slow), so the first n to end are not a fair sample: an agent whose
// failures are slow would look perfect at first, and the gate would pass it. A run that has not ended holds back those after it.
import { MAX_COUNT, requireCount, requireLevel, requireRate } from "./argument-rules.ts";
import type { Interval } from "./interval.ts";
import { runsToProof } from "./runs-to-proof.ts";
import { anytimeTest, singleLookTest, type RateTest } from "./rate-test.ts";

export interface GateRule {
  at_least: number;
  /** Confidence from 0.5 to 1. A wrong pass and a wrong fail each have the probability 1 - confidence at most. */
  confidence: number;
  max_runs: number;
  /** Whether the gate may decide after every run; otherwise it decides once, after `max_runs`. */
  sequential: boolean;
}

export interface GateState {
  decision: "pass" | "fail" | "undecided";
  /** Each end holds with the confidence of the rule. It passes when all of it is at or above `at_least`. */
  interval: Interval;
  /** About how many more runs would decide it at the rate seen so far; absent when that is out of reach. */
  more_runs?: number;
}

export interface Gate {
  /** The first decision stands: the promise is about it, and later runs may blur it again. */
  decide(passed: number, failed: number): GateState;
}

export function createGate(rule: GateRule): Gate {
  const test = testOf(rule);
  const { at_least: rate, max_runs: maxRuns, sequential } = rule;
  return {
    decide: (passed, failed) => {
      requireCount("passed", passed);
      requireCount("failed", failed);
      const runs = passed + failed;
      requireCount("passed + failed", runs);
      if (!sequential && runs > maxRuns)
        throw new RangeError(`the gate looks once, after ${maxRuns} runs; it was given ${runs}`);
      const mayLook = sequential || runs === maxRuns;
      const decision = mayLook || rate === 0 ? decisionOf(test, rate, passed, failed) : "undecided";
      const interval = {
        low: test.bound(passed, failed),
        high: 1 - test.bound(failed, passed),
      };
      if (decision !== "undecided") return { decision, interval };
      const more = mayLook ? runsToProof(test, rate, passed, failed) : maxRuns - runs;
      return { decision, interval, ...(more === undefined ? {} : { more_runs: more }) };
    },
  };
}

function testOf(rule: GateRule): RateTest {
  requireRate("at_least", rule.at_least);
  requireLevel("confidence", rule.confidence);
  if (rule.confidence < 0.5) throw new RangeError(`confidence must be at least 0.5, not ${rule.confidence}`);
  requireCount("max_runs", rule.max_runs);
  if (rule.max_runs === 0)
    throw new RangeError(`max_runs must be a whole number from 1 to ${MAX_COUNT}, not 0`);
  return (rule.sequential ? anytimeTest : singleLookTest)(1 - rule.confidence);
}

/** A rate below is a failure rate above: the same test, with the roles exchanged. */
function decisionOf(test: RateTest, rate: number, passed: number, failed: number): GateState["decision"] {
  if (rate === 0 || test.proves(rate, passed, failed)) return "pass";
  return test.proves(1 - rate, failed, passed) ? "fail" : "undecided";
}
