// How an evaluation stands: at work, interrupted, or what its cases came to.
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

/** A case that could not be evaluated is never a pass; a regression fails what passed. */
export function verdictOf({ totals, exit_code }: Evaluation): Verdict {
  if (totals.failed > 0 || exit_code === 1) return "fail";
  return totals.unevaluated > 0 || totals.cases === 0 || exit_code === 3 ? "unevaluated" : "pass";
}
