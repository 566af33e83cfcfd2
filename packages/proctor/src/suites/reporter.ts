// What a reporter is: it is told what happens, in order, and writes it somewhere. It keeps as little as it can: a plan may
// have a hundred thousand runs.
import type { Plan, PlannedCase } from "./plan.ts";
import type { AttemptResult, CaseResult, Summary } from "./result.ts";

export interface Reporter {
  /** Whether it needs what runs did and produced, not only their outcome. */
  evidence?: boolean;
  start(plan: Plan): void;
  caseStarted?(planned: PlannedCase): void;
  attemptEnded?(planned: PlannedCase, attempt: AttemptResult): void;
  caseEnded(result: CaseResult): void;
  end(summary: Summary): void;
}

/** Writes a text of a reporter to a stream, a file or a test. */
export type Write = (text: string) => void;
