// `proctor evaluations compare`: two evaluations of the hub, side by side.
import { hubAction } from "../hub-action.ts";
import { caseTable, CHANGES_OVER_TIME, findingLines } from "../compare/compare-report.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { DocumentFlags } from "../../flags.ts";

const WORDS = { before: "BEFORE", after: "AFTER", changes: CHANGES_OVER_TIME };

/** The exit code is that of `proctor test --baseline`: 1 for a regression, 3 where something cannot be compared. */
export const compareEvaluationsOf = hubAction(
  "read",
  async ({ platform, screen }, before: string, after: string, flags: DocumentFlags) => {
    const { evaluations } = platform;
    const [first, second] = [
      await findEvaluation(evaluations, before),
      await findEvaluation(evaluations, after),
    ];
    const comparison = await evaluations.compare(first.id, second.id);
    if (flags.json === true) screen.printJson(comparison);
    else screen.print(...caseTable(comparison, screen, WORDS), "", ...findingLines(comparison, screen));
    if (comparison.outcome === "fail") return 1;
    return comparison.outcome === "pass" ? 0 : 3;
  },
);
