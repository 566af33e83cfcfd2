// `proctor test`: suites against agents.
import type { Command } from "commander";
import { REPORTER_NAMES, REPORTERS } from "../../suites/reporters/catalogue.ts";
import { TEST_FLAGS } from "../actions/test/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

const REPORTER_LIST = REPORTER_NAMES.map((name) => `  ${name.padEnd(10)}${REPORTERS[name]}`).join("\n");

export function defineTest(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "test",
    summary: "run test suites against agents",
    description: "Run test suites against agents and judge the results.",
    arguments: [["<suite...>", "suite files, or folders of them"]],
    flags: TEST_FLAGS,
    examples: [
      "proctor test suites/",
      `proctor test smoke.yaml --agent "atp+stdio:python agent.py" --tag '!slow'`,
      "proctor test suites/ --reporter console --reporter junit=report.xml",
      'proctor test smoke.yaml --transports "atp+stdio:node a.mjs,atp+ws://host:80"',
      "proctor test smoke.yaml --only greets --runs 5 --json",
      "proctor test suites/ --only 'refund*' --list",
      "proctor test suites/ --resume",
      "proctor test suites/ --record recordings/ && proctor test suites/ --replay recordings/",
    ],
    note: `Reporters:
${REPORTER_LIST}

The exit code is 0 when everything passed, 1 when something failed, and 3 when
nothing failed but something could not be evaluated. Ctrl-C cancels what is in
flight and reports what ended; --resume goes on from there.`,
    action: async () => (await import("../actions/test/test-suites.ts")).testSuites,
  });
}
