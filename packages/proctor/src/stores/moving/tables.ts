// What is moved from one database to another, in the order in which rows may refer to each other; and what is not, with the reason.
import type { Schema } from "../sql/schema.ts";

type Table = keyof Schema;

interface MovedTable {
  name: Table;
  /** The primary key: rows are read in its order. */
  key: readonly string[];
  /** The column that the database counts up by itself. */
  counted?: string;
  /** Columns that arrive empty: they describe the queue of the source, and no other. */
  emptied?: readonly string[];
}

export const MOVED: readonly MovedTable[] = [
  { name: "runs", key: ["ordinal"], counted: "ordinal", emptied: ["admitted"] },
  { name: "events", key: ["run_id", "sequence"] },
  { name: "long_payloads", key: ["run_id", "sequence"] },
  { name: "artifacts", key: ["run_id", "sequence"] },
  { name: "removed_runs", key: ["run_id"] },
  { name: "feed_floor", key: ["id"] },
  { name: "agents", key: ["name"] },
  { name: "agent_leases", key: ["agent"] },
  { name: "agent_health", key: ["ordinal"], counted: "ordinal" },
  { name: "agent_measures", key: ["agent"] },
  { name: "hub_alive", key: ["id"] },
  { name: "saved_artifacts", key: ["app", "user_id", "session", "name", "version"] },
  { name: "gateway_ids", key: ["gateway", "kind", "inner_id"] },
  { name: "tokens", key: ["ordinal"], counted: "ordinal" },
  { name: "hub_closed", key: ["id"] },
  { name: "audit", key: ["sequence"], counted: "sequence" },
  { name: "script_tools", key: ["name"] },
  { name: "messages", key: ["position"], counted: "position" },
  { name: "inboxes", key: ["receiver"] },
  { name: "evaluations", key: ["ordinal"], counted: "ordinal" },
  { name: "evaluation_parts", key: ["kind", "name", "ordinal"] },
  { name: "evaluation_cases", key: ["evaluation", "id"] },
  { name: "removed_evaluations", key: ["id"] },
  { name: "run_texts", key: ["ordinal"] },
  { name: "hub_facts", key: ["name"] },
];

export const NOT_MOVED: Partial<Record<Table, string>> = {
  run_blocks: "counted again from the runs",
  doubles: "they are programs that announce themselves again",
  double_requests: "they belong to doubles, which are not moved",
  subscriptions: "files beside SQLite, rows beside PostgreSQL: see cli/compose/move-subscriptions.ts",
  workers: "no worker is at work while runs are moved",
  blob_marks: "nobody puts or removes bytes meanwhile",
  blob_names: "names of bytes are given again where the bytes are copied to",
  proctor_migrations: "both databases have the same version",
  proctor_probes: "always empty",
};

/** Tables that only one kind of database has. */
export const NOT_MOVED_OF_POSTGRES: Readonly<Record<string, string>> = {
  run_block_changes: "counted again from the runs",
};
