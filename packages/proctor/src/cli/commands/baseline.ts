// `proctor baseline`: results that later ones are compared with.
import type { Command } from "commander";
import { SAVE_BASELINE_FLAGS, COMPARE_BASELINE_FLAGS } from "../actions/baseline/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineBaseline(program: Command, execute: Execute): void {
  const baseline = program
    .command("baseline")
    .summary("save results, and compare later ones with them")
    .description("Save results of proctor test, and compare later ones with them.");
  defineCommand(baseline, execute, {
    name: "save",
    summary: "keep results as a baseline",
    description: "Keep the results of proctor test as a baseline. A baseline that is there is replaced.",
    arguments: [["<file>", "where to: baseline.json"]],
    flags: SAVE_BASELINE_FLAGS,
    examples: [
      "proctor test suites/ --runs 10 && proctor baseline save baseline.json",
      "proctor baseline save baseline.json --results part-1.jsonl --results part-2.jsonl",
    ],
    note: `The file is made to be committed: the same results give the same text. Results that
were interrupted are refused: go on with proctor test --resume, or say --partial.`,
    action: async () => (await import("../actions/baseline/save-baseline.ts")).saveBaseline,
  });
  defineCommand(baseline, execute, {
    name: "compare",
    summary: "hold results against a baseline",
    description: "Hold the results of proctor test against a baseline: what got worse, and how sure that is.",
    arguments: [["<file>", "the baseline"]],
    flags: COMPARE_BASELINE_FLAGS,
    examples: [
      "proctor test suites/ --runs 10; proctor baseline compare baseline.json",
      "proctor baseline compare baseline.json --results report.json --fail-on flip",
    ],
    note: `The exit code is 1 when something got significantly worse, and 3 when nothing did
but a case is missing or could not be evaluated. Nothing is run.`,
    action: async () => (await import("../actions/baseline/compare-baseline.ts")).compareBaseline,
  });
}
