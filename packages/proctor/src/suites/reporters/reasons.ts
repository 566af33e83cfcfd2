// Why a case did not pass, for reports with little room: each reason once, however many runs gave it, failures first.
import type { Position } from "../problem.ts";
import type { AttemptResult, CaseResult } from "../result.ts";
import type { Outcome } from "../verdict.ts";
import { shorten } from "./shorten.ts";

export interface Reason extends Position {
  outcome: "fail" | "unevaluated";
  message: string;
  /** How many of the case's runs gave it. */
  runs: number;
  /** Of the first of them. */
  runId?: string;
}

export interface Reasons {
  /** Never empty for a case that did not pass. */
  reasons: Reason[];
  /** How many others there are. */
  leftOut: number;
}

export interface ReasonLimits {
  reasons: number;
  /** Of one message. */
  characters: number;
}

export function reasonsOf(result: CaseResult, limits: ReasonLimits): Reasons {
  const { attempts, case: planned } = result;
  const known = new Map<string, Reason>();
  let leftOut = 0;
  for (const outcome of ["fail", "unevaluated"] as const) {
    for (const attempt of attempts) {
      for (const { line, col, message } of saidBy(attempt, outcome, planned.test)) {
        const short = shorten(message, limits.characters);
        const key = `${outcome} ${line}:${col} ${short}`;
        const same = known.get(key);
        const { runId } = attempt;
        if (same !== undefined) same.runs += 1;
        else if (known.size >= limits.reasons) leftOut += 1;
        else
          known.set(key, {
            outcome,
            line,
            col,
            message: short,
            runs: 1,
            ...(runId !== undefined && { runId }),
          });
      }
    }
  }
  if (known.size === 0 && result.outcome !== "pass") return { reasons: [unexplained(result)], leftOut };
  return { reasons: [...known.values()], leftOut };
}

/** With the number of runs, where there were several. */
export function reasonText({ message, runs }: Reason, { attempts }: CaseResult): string {
  return attempts.length > 1 ? `${runs} of ${attempts.length} runs: ${message}` : message;
}

/** What no check says belongs to the whole test. */
function* saidBy(
  { outcome: ended, reason, checks }: AttemptResult,
  outcome: Outcome,
  test: Position,
): Generator<Position & { message: string }> {
  if (reason !== undefined && ended === outcome) yield { line: test.line, col: test.col, message: reason };
  for (const { type, critical, verdict, line, col } of checks) {
    if (verdict.outcome !== outcome) continue;
    yield { line, col, message: `${type}${critical ? " (critical)" : ""}: ${verdict.message}` };
  }
}

function unexplained({ outcome, attempts, case: { test } }: CaseResult): Reason {
  const failed = outcome === "fail";
  return {
    outcome: failed ? "fail" : "unevaluated",
    line: test.line,
    col: test.col,
    message: failed ? "failed" : "could not be evaluated",
    runs: attempts.length,
  };
}
