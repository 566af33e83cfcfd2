// `proctor doctor`: what this machine can do, and how to get what it cannot.
import type { Command } from "commander";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

export function defineDoctor(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "doctor",
    summary: "say what this machine can do",
    description: "Say what this machine can do, and how to get what it cannot.",
    flags: documentFlags("{ok, version, environments, toolchain, node, data_dir, hub}"),
    examples: ["proctor doctor", "proctor doctor --json"],
    note: "Exits with 0 when there is an isolated environment, and with 3 when there is none.",
    action: async () => (await import("../actions/doctor/doctor.ts")).examineMachine,
  });
}
