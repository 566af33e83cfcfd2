// `proctor baseline compare`: results against a baseline, and the exit code that a gate goes by.
import { compareResults } from "../../../suites/compare/compare-results.ts";
import type { Comparison } from "../../../suites/compare/comparison.ts";
import { readResults } from "../../../suites/compare/read-results.ts";
import type { CompareBaselineFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { caseTable, CHANGES_OVER_TIME, findingLines, verdictLines } from "../compare/compare-report.ts";
import { pathOf } from "../path-of.ts";
import { givenResults } from "./given-results.ts";

const WORDS = { before: "BEFORE", after: "NOW", changes: CHANGES_OVER_TIME };

export async function compareBaseline(
  file: string,
  flags: CompareBaselineFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const before = await readResults(pathOf(file, io.cwd));
  const after = await givenResults(flags, context);
  const comparison = compareResults(before, after, {
    ...(flags.alpha !== undefined && { alpha: flags.alpha }),
  });
  const exit = exitCode(comparison, flags);
  const screen = createScreen(io);
  if (flags.json === true) {
    screen.printJson(comparison);
    return exit;
  }
  screen.print(
    ...caseTable(comparison, screen, WORDS),
    "",
    ...findingLines(comparison, screen),
    "",
    ...verdictLines(comparison, screen.paint),
  );
  return exit;
}

function exitCode({ cases, outcome }: Comparison, { failOn }: CompareBaselineFlags): number {
  const flipped = cases.some(({ before, after }) => before?.outcome === "pass" && after?.outcome === "fail");
  if (outcome === "fail" || (failOn === "flip" && flipped)) return 1;
  return outcome === "pass" ? 0 : 3;
}
