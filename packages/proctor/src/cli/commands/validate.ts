// `proctor validate`: whether suites are well formed, without running anything.
import type { Command } from "commander";
import type { Execute } from "../context.ts";
import { addJsonOption } from "../options.ts";

export interface ValidateFlags {
  json?: boolean;
}

export function defineValidate(program: Command, execute: Execute): void {
  const command = program
    .command("validate")
    .summary("check suites without running them")
    .description("Check that suites are well formed, without running anything.")
    .argument("<suite...>", "suite files, or folders of them");
  addJsonOption(command, "{suites}")
    .addHelpText("after", "\nExamples:\n  $ proctor validate suites/\n  $ proctor validate smoke.yaml --json")
    .action((suites: string[], flags: ValidateFlags) =>
      execute(async (context) =>
        (await import("../actions/validate-suites.ts")).validateSuites(suites, flags, context),
      ),
    );
}
