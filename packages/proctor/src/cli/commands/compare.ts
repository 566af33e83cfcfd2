// `proctor compare`: two agents at the same suites, or two sets of results.
import type { Command } from "commander";
import { COMPARE_FLAGS } from "../actions/compare/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineCompare(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "compare",
    summary: "two agents on the same tests, or two sets of results",
    description: "Run suites with two agents and say which is better; or compare two files of results.",
    arguments: [
      ["<a>", "an agent, or a file of results"],
      ["<b>", "another agent, or another file of results"],
      ["[suite...]", "suite files, or folders of them"],
    ],
    flags: COMPARE_FLAGS,
    examples: [
      'proctor compare "atp+stdio:node old.mjs" "atp+stdio:node new.mjs" suites/ --runs 10',
      "proctor compare writer writer-next smoke.yaml --fail-on worse",
      "proctor compare monday.json tuesday.json",
    ],
    note: `The exit code is 0 whoever is better, 1 with --fail-on worse when the second is
worse, and 3 when something could not be run or evaluated.`,
    action: async () => {
      const { compareAgents } = await import("../actions/compare/compare-agents.ts");
      return (a, b, suites, flags, context) => compareAgents({ a, b, suites }, flags, context);
    },
  });
}
