// `proctor compare`: two agents at the same suites, or two sets of results.
import type { Command } from "commander";
import { COMPARE_FLAGS, type CompareFlags } from "../actions/compare/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

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
    .argument("[suite...]", "suite files, or folders of them");
  addFlags(command, COMPARE_FLAGS)
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
