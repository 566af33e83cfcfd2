// `proctor up`: the hub.
import type { Command } from "commander";
import { UP_FLAGS } from "../actions/up/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineUp(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "up",
    summary: "start the hub",
    description: "Start the hub: the API, live events, metrics and docs on one port.",
    flags: UP_FLAGS,
    examples: [
      "proctor up",
      "proctor up --port 8080 --database file:./data/proctor.db",
      "PROCTOR_TOKEN=… proctor up --host 0.0.0.0",
    ],
    note: `Ctrl-C or SIGTERM stops it gracefully; a second Ctrl-C stops it at once.`,
    action: async () => (await import("../actions/up/serve-hub.ts")).serveHub,
  });
}
