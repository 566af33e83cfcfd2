// Why a case did not pass, for reports with little room: each reason once, however many runs gave it, failures first.
import type { Failure } from "../../core/failure.ts";
import { lastWords } from "../../core/last-words.ts";
import type { AttemptResult, CaseResult, CheckResult } from "../result.ts";
import type { Place } from "../suite.ts";
import type { Outcome } from "../verdict.ts";
import { differenceOf, type Difference } from "./difference.ts";
import { shorten } from "../../core/shorten.ts";

export interface Reason extends Place {
  outcome: "fail" | "unevaluated";
  message: string;
  /** Number of runs of the case that gave this reason. */
  runs: number;
  /** Whether the reason is about all runs together. */
  ofCase: boolean;
  /** Id of the first run that gave this reason. */
  runId?: string;
  /** What the agent of that run said before it failed, line by line. */
  said?: string[];
  /** Difference between what that run's check expected and what it got. */
  difference?: Difference;
}

export interface Reasons {
  /** Reasons, never empty for a case that did not pass. */
  reasons: Reason[];
  /** Number of further reasons. */
  leftOut: number;
}

interface ReasonLimits {
  reasons: number;
  /** Most characters of one message. */
  characters: number;
}

/** Most characters of one line that an agent printed. */
const LINE_CHARACTERS = 300;

interface Said extends Place {
  message: string;
  failure?: Failure;
  check?: CheckResult;
}

export function reasonsOf(result: CaseResult, limits: ReasonLimits): Reasons {
  const { attempts, case: planned } = result;
  const known = new Map<string, Reason>();
  let leftOut = 0;

  function add(said: Said, outcome: Reason["outcome"], attempt?: AttemptResult): void {
    const { file, line, col, check, failure } = said;
    const message = shorten(said.message, limits.characters);
    const key = `${outcome} ${file}:${line}:${col} ${message}`;
    const same = known.get(key);
    if (same !== undefined) same.runs += 1;
    else if (known.size >= limits.reasons) leftOut += 1;
    else {
      const difference = differenceOf(check?.verdict.details);
      const words = failure === undefined ? [] : lastWords(failure);
      known.set(key, {
        outcome,
        file,
        line,
        col,
        message,
        runs: attempt === undefined ? attempts.length : 1,
        ofCase: attempt === undefined,
        ...(attempt?.runId !== undefined && { runId: attempt.runId }),
        ...(words.length > 0 && { said: words.map((text) => shorten(text, LINE_CHARACTERS)) }),
        ...(difference !== undefined && { difference }),
      });
    }
  }

  for (const outcome of ["fail", "unevaluated"] as const) {
    for (const said of saidOfCase(result, outcome)) add(said, outcome);
    for (const attempt of attempts) {
      if (attempt.outcome === "pass") continue;
      for (const said of saidBy(attempt, outcome, planned.test)) add(said, outcome, attempt);
    }
  }
  if (known.size === 0 && result.outcome !== "pass") return { reasons: [unexplained(result)], leftOut };
  return { reasons: [...known.values()], leftOut };
}

/** With the number of runs, where there were several. */
export function reasonText({ message, runs, ofCase }: Reason, { attempts }: CaseResult): string {
  return attempts.length > 1 && !ofCase ? `${runs} of ${attempts.length} runs: ${message}` : message;
}

function* saidOfCase({ checks, gate, case: { test } }: CaseResult, outcome: Outcome): Generator<Said> {
  const decided = gate?.decision === "inconclusive" ? "unevaluated" : gate?.decision;
  if (gate !== undefined && decided === outcome) {
    yield { ...placeOf(test), message: `pass_rate: ${gate.message}` };
  }
  yield* saidByChecks(checks, outcome);
}

/** A reason that no check gives belongs to the whole test. */
function* saidBy(
  { outcome: ended, reason, failure, checks }: AttemptResult,
  outcome: Outcome,
  test: Place,
): Generator<Said> {
  if (reason !== undefined && ended === outcome)
    yield { ...placeOf(test), message: reason, ...(failure && { failure }) };
  yield* saidByChecks(checks, outcome);
}

/** A check of weight 0 decides nothing, so it gives no reason. */
function* saidByChecks(checks: readonly CheckResult[], outcome: Outcome): Generator<Said> {
  const said = new Set<string>();
  for (const check of checks) {
    const { type, critical, weight, turn, verdict } = check;
    if (verdict.outcome !== outcome || weight === 0) continue;
    // What keeps several checks from being evaluated is one reason.
    if (outcome === "unevaluated" && said.has(verdict.message)) continue;
    said.add(verdict.message);
    yield {
      ...placeOf(check),
      message: `${turn === undefined ? "" : `turn ${turn}: `}${type}${critical ? " (critical)" : ""}: ${verdict.message}`,
      check,
    };
  }
}

function placeOf({ file, line, col }: Place): Place {
  return { file, line, col };
}

function unexplained({ outcome, attempts, case: { test } }: CaseResult): Reason {
  const failed = outcome === "fail";
  return {
    ...placeOf(test),
    outcome: failed ? "fail" : "unevaluated",
    message: failed ? "failed" : "could not be evaluated",
    runs: attempts.length,
    ofCase: true,
  };
}
