// `proctor validate`: whether suites are well formed, without running anything.
import type { Command } from "commander";
import { VALIDATE_FLAGS } from "../actions/test/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineValidate(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "validate",
    summary: "check suites without running them",
    description: "Check that suites are well formed, without running anything.",
    arguments: [["<suite...>", "suite files, or folders of them"]],
    flags: VALIDATE_FLAGS,
    examples: ["proctor validate suites/", "proctor validate smoke.yaml --json"],
    note: `The exit code is 2 when a suite is wrong, and 3 when nothing is wrong but checks
need a judge and none is configured.`,
    action: async () => (await import("../actions/validate/validate-suites.ts")).validateSuites,
  });
}
