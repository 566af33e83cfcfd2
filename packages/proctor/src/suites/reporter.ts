// What a reporter is: it is told what happens, in order, and writes it somewhere.
import type { Plan, PlannedCase } from "./plan.ts";
import type { CaseResult, Summary } from "./result.ts";

export interface Reporter {
  start(plan: Plan): void;
  caseStarted?(planned: PlannedCase): void;
  caseEnded(result: CaseResult): void;
  end(summary: Summary): void;
}

/** Where a reporter writes: a stream, a file, a test. */
export type Write = (text: string) => void;
