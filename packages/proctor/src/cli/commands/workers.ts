// `proctor workers`: the processes that carry out runs.
import type { Command } from "commander";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const ID = ["<id>", "id of the worker: host and process"] as const;

export function defineWorkers(program: Command, execute: Execute): void {
  const workers = program
    .command("workers")
    .summary("list and drain the workers of a hub")
    .description("List, show and drain the processes that carry out runs.");
  defineCommand(workers, execute, {
    name: "list",
    summary: "list workers, the one seen last first",
    flags: documentFlags("{items, next_cursor}"),
    examples: ["proctor workers list", "proctor workers list --json"],
    action: async () => (await import("../actions/workers/workers.ts")).listWorkers,
  });
  defineCommand(workers, execute, {
    name: "show",
    summary: "show a worker",
    arguments: [ID],
    flags: documentFlags("the worker"),
    examples: ["proctor workers show host-a:4711"],
    action: async () => (await import("../actions/workers/workers.ts")).showWorker,
  });
  defineCommand(workers, execute, {
    name: "drain",
    summary: "let a worker end when its runs have",
    description: "Let a worker take no more runs, and end when those in flight have.",
    arguments: [ID],
    flags: documentFlags("the worker"),
    examples: ["proctor workers drain host-a:4711"],
    action: async () => (await import("../actions/workers/workers.ts")).drainWorker,
  });
}
