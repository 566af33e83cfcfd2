// The state of an evaluation: running, interrupted, or the verdict of its cases.
import type { Evaluation } from "../../api/gen/schema.ts";
import { ShapeMark, VerdictMark, type Verdict } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

export function EvaluationMark({ evaluation }: { evaluation: Evaluation }) {
  const { status } = evaluation;
  if (status === "running") {
    return (
      <ShapeMark tone="busy" shape="arc">
        {texts.evaluations.status.running}
      </ShapeMark>
    );
  }
  if (status === "interrupted") {
    return (
      <ShapeMark tone="warn" shape="slash">
        {texts.evaluations.status.interrupted}
      </ShapeMark>
    );
  }
  return <VerdictMark verdict={verdictOf(evaluation)} />;
}

/** Returns the verdict: a case that could not be evaluated is never a pass, and a regression fails an evaluation whose cases passed. */
export function verdictOf({ totals, exit_code }: Evaluation): Verdict {
  if (totals.failed > 0 || exit_code === 1) return "fail";
  return totals.unevaluated > 0 || totals.cases === 0 || exit_code === 3 ? "unevaluated" : "pass";
}
