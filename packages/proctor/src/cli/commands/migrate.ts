// `proctor migrate`: from one kind of database to the other.
import type { Command } from "commander";
import { MIGRATE_FLAGS } from "../actions/migrate/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

const NOTE = `Stop all hubs and workers first. The source stays as it is. A move that was interrupted
goes on when the same command is given again.`;

export function defineMigrate(program: Command, execute: Execute): void {
  const parent = program
    .command("migrate")
    .summary("move everything to another database")
    .description("Move everything to a database of another kind, and compare both sides afterwards.");
  const action = async () => (await import("../actions/migrate/migrate.ts")).migrate;
  defineCommand(parent, execute, {
    name: "sqlite-to-postgres",
    summary: "from one machine to many",
    description: "Move everything from a SQLite file to an empty PostgreSQL database.",
    flags: MIGRATE_FLAGS,
    examples: [
      "proctor migrate sqlite-to-postgres --from .proctor/proctor.db --to postgres://db.example.com/proctor",
    ],
    note: NOTE,
    action: async () => (await action())("sqlite-to-postgres"),
  });
  defineCommand(parent, execute, {
    name: "postgres-to-sqlite",
    summary: "from many machines to one",
    description: "Move everything from a PostgreSQL database to a new SQLite file.",
    flags: MIGRATE_FLAGS,
    examples: [
      "proctor migrate postgres-to-sqlite --from postgres://db.example.com/proctor --to .proctor/proctor.db",
    ],
    note: NOTE,
    action: async () => (await action())("postgres-to-sqlite"),
  });
}
