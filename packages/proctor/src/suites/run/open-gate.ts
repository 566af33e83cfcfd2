// The `pass_rate` of a case while it is run: takes runs as they end, looks at them in the order in which they were started,
// and sticks to its first decision.
import type { AttemptResult, GateResult } from "../result.ts";
import { createGate, type GateRule, type GateState } from "../statistics/sequential.ts";
import type { Outcome } from "../verdict.ts";

interface OpenGate {
  readonly decided: boolean;
  take(attempt: AttemptResult): void;
  /** How many runs can be in flight before one of them might prove unnecessary. */
  horizon(): number;
  result(): GateResult;
}

/** Upper limit of how many runs the gate looks ahead. */
const MAX_HORIZON = 256;

export function openGate(rule: GateRule): OpenGate {
  const gate = createGate(rule);
  /** Runs that ended while one that started before them is still going. */
  const ahead = new Map<number, Outcome>();
  const counts = { passed: 0, failed: 0, unevaluated: 0 };
  let next = 1;
  let decision: GateState | undefined;

  /** Unevaluated runs might have failed, so leaving them out would prove too much. */
  function look(): void {
    const state = gate.decide(counts.passed, counts.failed);
    const proven = state.decision === "fail" || (state.decision === "pass" && counts.unevaluated === 0);
    if (proven) decision = state;
  }

  return {
    get decided() {
      return decision !== undefined;
    },
    take({ number, outcome }) {
      ahead.set(number, outcome);
      for (let ended = ahead.get(next); ended !== undefined && !decision; ended = ahead.get(next)) {
        ahead.delete(next);
        next += 1;
        counts[COUNTED[ended]] += 1;
        look();
      }
    },
    horizon() {
      if (!rule.sequential) return Infinity;
      const { passed, failed } = counts;
      for (let more = 1; more < MAX_HORIZON; more++) {
        if (gate.decide(passed + more, failed).decision !== "undecided") return more;
        if (gate.decide(passed, failed + more).decision !== "undecided") return more;
      }
      return MAX_HORIZON;
    },
    result: () =>
      describe(rule, counts, decision ?? gate.decide(counts.passed, counts.failed), decision !== undefined),
  };
}

const COUNTED = { pass: "passed", fail: "failed", unevaluated: "unevaluated" } as const;

function describe(
  rule: GateRule,
  { passed, failed, unevaluated }: { passed: number; failed: number; unevaluated: number },
  { decision, interval, more_runs: more }: GateState,
  decided: boolean,
): GateResult {
  const runs = passed + failed + unevaluated;
  const { at_least, confidence } = rule;
  const base = { at_least, confidence, runs, passed, low: interval.low, high: interval.high };
  const rate = `${passed} of ${runs} runs passed`;
  const wanted = `at least ${percent(at_least)} at ${percent(confidence)} confidence`;
  if (decided && decision !== "undecided") {
    return { ...base, decision, message: `${rate}: ${decision === "pass" ? "meets" : "misses"} ${wanted}` };
  }
  const unjudged = unevaluated > 0 ? `, ${unevaluated} could not be evaluated` : "";
  const next =
    more === undefined ? "more runs at this rate will not decide it" : `needs about ${more} more runs`;
  const message = `${rate}${unjudged}: inconclusive for ${wanted}, ${next}`;
  return { ...base, decision: "inconclusive", more_runs: more ?? null, message };
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
