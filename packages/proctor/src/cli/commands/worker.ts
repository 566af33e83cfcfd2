// `proctor worker`: a process that carries out runs for hubs elsewhere.
import type { Command } from "commander";
import { WORKER_FLAGS } from "../actions/worker/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineWorker(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "worker",
    summary: "carry out runs for hubs elsewhere",
    description:
      "Carry out runs of a database that several processes share, or of a hub that has one, without taking requests.",
    flags: WORKER_FLAGS,
    examples: [
      "DATABASE_URL=postgres://proctor@db/proctor proctor worker",
      "proctor worker --concurrency 4 --labels gpu,eu",
      "PROCTOR_TOKEN=hub_api_… proctor worker --hub https://hub.example",
      "proctor worker --drain",
    ],
    note: `SIGTERM or Ctrl-C drains it: no more runs are taken, those in flight get --grace-seconds to end and are
then ended as INTERRUPTED. \`proctor workers drain\` waits for them as long as they take.`,
    action: async () => (await import("../actions/worker/run-worker.ts")).runWorker,
  });
}
