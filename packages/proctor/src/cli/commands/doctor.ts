// `proctor doctor`: what this machine can do, and how to get what it cannot.
import type { Command } from "commander";
import { DOCTOR_FLAGS, type DoctorFlags } from "../actions/doctor/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

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
  addFlags(command, DOCTOR_FLAGS)
    .addHelpText("after", EXAMPLES)
    .action((flags: DoctorFlags) =>
      execute(async (context) =>
        (await import("../actions/doctor/doctor.ts")).examineMachine(flags, context),
      ),
    );
}
