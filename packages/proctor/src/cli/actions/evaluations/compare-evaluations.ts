// `proctor evaluations compare`: two evaluations of the hub, side by side.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { caseTable, findingLines } from "../compare/compare-report.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { CompareEvaluationsFlags } from "./flags.ts";

const WORDS = {
  before: "BEFORE",
  after: "AFTER",
  changes: {
    regressed: "regressed",
    improved: "improved",
    undecided: "undecided",
    missing: "missing",
    new: "new",
    unchanged: "unchanged",
  },
} as const;

/** The exit code is that of `proctor test --baseline`: 1 for a regression, 3 where something cannot be compared. */
export function compareEvaluationsOf(
  before: string,
  after: string,
  flags: CompareEvaluationsFlags,
  context: CommandContext,
): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const { evaluations } = platform;
    const [first, second] = [
      await findEvaluation(evaluations, before),
      await findEvaluation(evaluations, after),
    ];
    const comparison = await evaluations.compare(first.id, second.id);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(comparison);
    else screen.print(...caseTable(comparison, screen, WORDS), "", ...findingLines(comparison, screen));
    if (comparison.outcome === "fail") return 1;
    return comparison.outcome === "pass" ? 0 : 3;
  });
}
