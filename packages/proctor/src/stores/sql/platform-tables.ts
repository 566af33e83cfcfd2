// The tables of what a hub offers besides runs: document 004. Steps of migrations.ts.
import { sql, type Compilable } from "kysely";
import type { SqlDialect } from "./sql-backend.ts";

export function tokenTables({ builder: { schema }, ordinalType }: SqlDialect): Compilable[] {
  const byColumn = (column: string) =>
    schema.createIndex(`audit_by_${column}`).on("audit").columns([column, "sequence"]);
  return [
    schema
      .createTable("tokens")
      .addColumn("ordinal", ordinalType as never, (column) => column.primaryKey())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("document", "text", (column) => column.notNull())
      .addColumn("digest", "text", (column) => column.notNull())
      .addColumn("previous_digest", "text")
      .addColumn("previous_until", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .addColumn("used_by", "text")
      .addColumn("agent", "text"),
    schema
      .createIndex("tokens_by_agent")
      .on("tokens")
      .column("agent")
      .where(sql<boolean>`agent is not null`),
    schema
      .createTable("hub_closed")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("closed_at", "bigint", (column) => column.notNull()),
    schema
      .createTable("audit")
      .addColumn("sequence", ordinalType as never, (column) => column.primaryKey())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("actor", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("details", "text", (column) => column.notNull()),
    ...["actor", "subject", "at"].map(byColumn),
  ];
}

export function scriptToolTables({ builder: { schema }, nameType }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("script_tools")
      .addColumn("name", nameType as never, (column) => column.primaryKey())
      .addColumn("document", "text", (column) => column.notNull()),
  ];
}

export function messageTables({
  builder: { schema },
  ordinalType,
  nameType,
  clustered,
}: SqlDialect): Compilable[] {
  const index = (name: string, columns: string[], state: string) =>
    schema
      .createIndex(`messages_${name}`)
      .on("messages")
      .columns(columns)
      .where(sql<boolean>`state = ${sql.lit(state)}`);
  return [
    schema
      .createTable("messages")
      .addColumn("position", ordinalType as never, (column) => column.primaryKey())
      .addColumn("sender", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("receiver", nameType as never, (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("document", "text", (column) => column.notNull())
      .addColumn("fingerprint", "text", (column) => column.notNull())
      .addColumn("size_bytes", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("hops", "bigint", (column) => column.notNull())
      .addColumn("deliveries", "bigint", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("told", "bigint", (column) => column.notNull())
      .addColumn("settled_at", "bigint")
      .addColumn("reason", "text"),
    schema.createIndex("messages_by_id").unique().on("messages").columns(["sender", "id"]),
    index("waiting", ["receiver", "position"], "waiting"),
    index("expiring", ["expires_at"], "waiting"),
    index("working", ["position"], "working"),
    index("done", ["settled_at"], "done"),
    index("dead", ["position"], "dead"),
    index("dead_by_receiver", ["receiver", "position"], "dead"),
    schema
      .createTable("inboxes")
      .addColumn("receiver", nameType as never, (column) => column.primaryKey())
      .addColumn("waiting", "bigint", (column) => column.notNull())
      .addColumn("bytes", "bigint", (column) => column.notNull())
      .modifyEnd(clustered),
  ];
}

export function registryTables({
  builder: { schema },
  ordinalType,
  nameType,
  clustered,
}: SqlDialect): Compilable[] {
  return [
    schema.alterTable("agents").addColumn("registration", "text"),
    schema
      .createTable("agent_leases")
      .addColumn("agent", nameType as never, (column) => column.primaryKey())
      .addColumn("instance", "text")
      .addColumn("beat_at", "bigint")
      .addColumn("draining", "integer", (column) => column.notNull())
      .addColumn("command", "text")
      .addColumn("commanded_at", "bigint")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("since", "bigint")
      .modifyEnd(clustered),
    schema
      .createTable("agent_health")
      .addColumn("ordinal", ordinalType as never, (column) => column.primaryKey())
      .addColumn("agent", nameType as never, (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull()),
    schema.createIndex("agent_health_by_agent").on("agent_health").columns(["agent", "ordinal"]),
    schema
      .createTable("agent_measures")
      .addColumn("agent", nameType as never, (column) => column.primaryKey())
      .addColumn("document", "text", (column) => column.notNull())
      .modifyEnd(clustered),
    schema
      .createTable("hub_alive")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("at", "bigint", (column) => column.notNull()),
  ];
}
