// `proctor validate`: whether suites are well formed, without running anything.
import type { Command } from "commander";
import type { JudgeFlags } from "../actions/test/require-judge.ts";
import type { Execute } from "../context.ts";
import { addJsonOption } from "../options.ts";

export interface ValidateFlags extends JudgeFlags {
  json?: boolean;
}

const EXAMPLES = `
Examples:
  $ proctor validate suites/
  $ proctor validate smoke.yaml --json

The exit code is 2 when a suite is wrong, and 3 when nothing is wrong but checks
need a judge and none is configured.`;

export function defineValidate(program: Command, execute: Execute): void {
  const command = program
    .command("validate")
    .summary("check suites without running them")
    .description("Check that suites are well formed, without running anything.")
    .argument("<suite...>", "suite files, or folders of them")
    .option("--without-judge", "accept checks that need a judge where none is configured");
  addJsonOption(command, "{suites}")
    .addHelpText("after", EXAMPLES)
    .action((suites: string[], flags: ValidateFlags) =>
      execute(async (context) =>
        (await import("../actions/validate/validate-suites.ts")).validateSuites(suites, flags, context),
      ),
    );
}
