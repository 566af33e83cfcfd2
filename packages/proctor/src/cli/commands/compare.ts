// `proctor compare`: two agents at the same suites, or two sets of results.
import { Option, type Command } from "commander";
import type { JudgeFlags } from "../actions/test/require-judge.ts";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, addJsonOption, collect, positiveInteger, positiveNumber, share } from "../options.ts";

export interface CompareFlags extends HubFlags, JudgeFlags {
  runs?: number;
  tag?: string[];
  only?: string[];
  concurrency?: number;
  timeout?: number;
  maxCost?: number;
  reporter?: string[];
  alpha?: number;
  failOn?: "worse";
  json?: boolean;
}

const EXAMPLES = `
Examples:
  $ proctor compare "atp+stdio:node old.mjs" "atp+stdio:node new.mjs" suites/ --runs 10
  $ proctor compare writer writer-next smoke.yaml --fail-on worse
  $ proctor compare monday.json tuesday.json

The exit code is 0 whoever is better, 1 with --fail-on worse when the second is
worse, and 3 when something could not be run or evaluated.`;

export function defineCompare(program: Command, execute: Execute): void {
  const command = program
    .command("compare")
    .summary("two agents on the same tests, or two sets of results")
    .description("Run suites with two agents and say which is better; or compare two files of results.")
    .argument("<a>", "an agent, or a file of results")
    .argument("<b>", "another agent, or another file of results")
    .argument("[suite...]", "suite files, or folders of them")
    .option("--runs <n>", "run every test n times with each, whatever the suite says", positiveInteger)
    .option("--tag <tag>", "only tests with one of these tags; !tag leaves out (repeatable)", collect)
    .option("--only <id>", "only the test with this id (repeatable)", collect)
    .option("--concurrency <n>", "runs in flight at once (10)", positiveInteger)
    .option("--timeout <seconds>", "time limit of every run, whatever the suite says", positiveInteger)
    .option("--max-cost <usd>", "start no further run once the cost reaches this amount", positiveNumber)
    .option("-r, --reporter <name[=file]>", "reports of the tests, as in proctor test (repeatable)", collect)
    .option("--without-judge", "run even if checks need a judge and none is configured")
    .option("--alpha <p>", "accepted false-alarm rate (0.05)", share)
    .addOption(
      new Option("--fail-on <what>", "end with exit code 1 when the second is worse").choices(["worse"]),
    );
  addJsonOption(command, "the comparison");
  addHubOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((a: string, b: string, suites: string[], flags: CompareFlags) =>
      execute(async (context) =>
        (await import("../actions/compare/compare-agents.ts")).compareAgents(
          { a, b, suites },
          flags,
          context,
        ),
      ),
    );
}
