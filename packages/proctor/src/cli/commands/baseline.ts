// `proctor baseline`: results that later ones are held against.
import { Option, type Command } from "commander";
import type { Execute, HubFlags } from "../context.ts";
import { addJsonOption, collect, share } from "../options.ts";

/** Which results: files, or else the last ones of the data directory. */
export interface ResultsFlags extends Pick<HubFlags, "database" | "config"> {
  results?: string[];
}

export interface SaveBaselineFlags extends ResultsFlags {
  partial?: boolean;
  json?: boolean;
}

export interface CompareBaselineFlags extends ResultsFlags {
  alpha?: number;
  failOn?: "regression" | "flip";
  json?: boolean;
}

const SAVE_EXAMPLES = `
Examples:
  $ proctor test suites/ --runs 10 && proctor baseline save baseline.json
  $ proctor baseline save baseline.json --results part-1.jsonl --results part-2.jsonl

The file is made to be committed: the same results give the same text. Results that
were interrupted are refused: go on with proctor test --resume, or say --partial.`;

const COMPARE_EXAMPLES = `
Examples:
  $ proctor test suites/ --runs 10; proctor baseline compare baseline.json
  $ proctor baseline compare baseline.json --results report.json --fail-on flip

The exit code is 1 when something got significantly worse, and 3 when nothing did
but a case is missing or could not be evaluated. Nothing is run.`;

export function defineBaseline(program: Command, execute: Execute): void {
  const baseline = program
    .command("baseline")
    .summary("save results, and compare later ones with them")
    .description("Save results of proctor test, and compare later ones with them.");
  defineSave(baseline, execute);
  defineCompare(baseline, execute);
}

function defineSave(baseline: Command, execute: Execute): void {
  const command = baseline
    .command("save")
    .summary("keep results as a baseline")
    .description("Keep the results of proctor test as a baseline. A baseline that is there is replaced.")
    .argument("<file>", "where to: baseline.json");
  addResultsOptions(command).option("--partial", "also results that were interrupted");
  addJsonOption(command, "what was saved")
    .addHelpText("after", SAVE_EXAMPLES)
    .action((file: string, flags: SaveBaselineFlags) =>
      execute(async (context) =>
        (await import("../actions/baseline/save-baseline.ts")).saveBaseline(file, flags, context),
      ),
    );
}

function defineCompare(baseline: Command, execute: Execute): void {
  const command = baseline
    .command("compare")
    .summary("hold results against a baseline")
    .description("Hold the results of proctor test against a baseline: what got worse, and how sure that is.")
    .argument("<file>", "the baseline");
  addResultsOptions(command)
    .option("--alpha <p>", "accepted false-alarm rate (0.05)", share)
    .addOption(
      new Option(
        "--fail-on <what>",
        "what ends with exit code 1: a significant regression, or any pass that became a fail",
      )
        .choices(["regression", "flip"])
        .default("regression"),
    );
  addJsonOption(command, "the comparison")
    .addHelpText("after", COMPARE_EXAMPLES)
    .action((file: string, flags: CompareBaselineFlags) =>
      execute(async (context) =>
        (await import("../actions/baseline/compare-baseline.ts")).compareBaseline(file, flags, context),
      ),
    );
}

function addResultsOptions(command: Command): Command {
  return command
    .option(
      "--results <file>",
      "these results instead of the last ones; of machines that shared them, each part (repeatable)",
      collect,
    )
    .option("--database <url>", "whose last results (DATABASE_URL, file:./.proctor/proctor.db)")
    .option("--config <file>", "read this file instead of proctor.yaml");
}
