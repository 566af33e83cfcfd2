// `proctor validate`: whether suites are well formed, without running anything.
import type { Command } from "commander";
import { VALIDATE_FLAGS, type ValidateFlags } from "../actions/validate/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

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
    .argument("<suite...>", "suite files, or folders of them");
  addFlags(command, VALIDATE_FLAGS)
    .addHelpText("after", EXAMPLES)
    .action((suites: string[], flags: ValidateFlags) =>
      execute(async (context) =>
        (await import("../actions/validate/validate-suites.ts")).validateSuites(suites, flags, context),
      ),
    );
}
