// `proctor up`: the hub.
import type { Command } from "commander";
import { UP_FLAGS, type UpFlags } from "../actions/up/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

const EXAMPLES = `
Examples:
  $ proctor up
  $ proctor up --port 8080 --database file:./data/proctor.db
  $ PROCTOR_TOKEN=… proctor up --host 0.0.0.0

Ctrl-C or SIGTERM stops it gracefully; a second Ctrl-C stops it at once.`;

export function defineUp(program: Command, execute: Execute): void {
  const command = program
    .command("up")
    .summary("start the hub")
    .description("Start the hub: the API, live events, metrics and docs on one port.");
  addFlags(command, UP_FLAGS)
    .addHelpText("after", EXAMPLES)
    .action((flags: UpFlags) =>
      execute(async (context) => (await import("../actions/up/serve-hub.ts")).serveHub(flags, context)),
    );
}
