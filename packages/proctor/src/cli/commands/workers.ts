// `proctor workers`: the processes that carry out runs.
import type { Command } from "commander";
import { LIST_WORKERS_FLAGS, ONE_WORKER_FLAGS } from "../actions/workers/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

const ID = ["<id>", "id of the worker: host and process"] as const;

export function defineWorkers(program: Command, execute: Execute): void {
  const workers = program
    .command("workers")
    .summary("list and drain the workers of a hub")
    .description("List, show and drain the processes that carry out runs.");
  defineCommand(workers, execute, {
    name: "list",
    summary: "list workers, the one seen last first",
    flags: LIST_WORKERS_FLAGS,
    examples: ["proctor workers list", "proctor workers list --json"],
    action: async () => (await import("../actions/workers/list-workers.ts")).listWorkers,
  });
  defineCommand(workers, execute, {
    name: "show",
    summary: "show a worker",
    arguments: [ID],
    flags: ONE_WORKER_FLAGS,
    examples: ["proctor workers show host-a:4711"],
    action: async () => (await import("../actions/workers/show-worker.ts")).showWorker,
  });
  defineCommand(workers, execute, {
    name: "drain",
    summary: "let a worker end when its runs have",
    description: "Let a worker take no more runs, and end when those in flight have.",
    arguments: [ID],
    flags: ONE_WORKER_FLAGS,
    examples: ["proctor workers drain host-a:4711"],
    action: async () => (await import("../actions/workers/drain-worker.ts")).drainWorker,
  });
}
