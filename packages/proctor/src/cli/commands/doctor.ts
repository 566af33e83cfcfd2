// `proctor doctor`: what this machine can do, and how to get what it cannot.
import type { Command } from "commander";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, addJsonOption } from "../options.ts";

export interface DoctorFlags extends HubFlags {
  json?: boolean;
}

const EXAMPLES = `
Exits with 0 when there is an isolated environment, and with 3 when there is none.

Examples:
  $ proctor doctor
  $ proctor doctor --json`;

export function defineDoctor(program: Command, execute: Execute): void {
  const command = program
    .command("doctor")
    .summary("say what this machine can do")
    .description("Say what this machine can do, and how to get what it cannot.");
  addJsonOption(command, "{ok, version, environments, toolchain, node, data_dir, hub}");
  addHubOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((flags: DoctorFlags) =>
      execute(async (context) =>
        (await import("../actions/doctor/doctor.ts")).examineMachine(flags, context),
      ),
    );
}
