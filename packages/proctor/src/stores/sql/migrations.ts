// The steps that lead from an empty database to the present one. Never change a released step: add one.
import { sql, type Compilable } from "kysely";
import { doubleTables } from "./double-tables.ts";
import { evaluationTables } from "./evaluation-tables.ts";
import { LOG_PAYLOAD_CHARS } from "./long-payloads.ts";
import { messageTables, registryTables, scriptToolTables, tokenTables } from "./platform-tables.ts";
import { sharedTables } from "./shared-tables.ts";
import type { SqlDialect } from "./sql-backend.ts";

export interface Migration {
  name: string;
  steps(dialect: SqlDialect): Compilable[];
}

export const MIGRATIONS: readonly Migration[] = [
  {
    name: "first tables",
    steps: (dialect) => [
      ...runs(dialect),
      events(dialect),
      ...artifacts(dialect),
      agents(dialect),
      probes(dialect),
    ],
  },
  { name: "names that clients give to runs", steps: aliases },
  { name: "files that clients give to runs", steps: storedNames },
  { name: "pages by number", steps: runBlocks },
  { name: "events of removed runs", steps: removedRuns },
  { name: "runs that talk", steps: talkingRuns },
  { name: "the order of all commits", steps: feed },
  { name: "artifacts beside runs", steps: savedArtifacts },
  { name: "ids of a gateway", steps: gatewayIds },
  { name: "long payloads apart", steps: longPayloads },
  { name: "tokens and the audit log", steps: tokenTables },
  { name: "the registry of agents", steps: registryTables },
  { name: "script tools", steps: scriptToolTables },
  { name: "envelopes", steps: messageTables },
  { name: "evaluations", steps: evaluationTables },
  { name: "filters of runs", steps: runFilters },
  { name: "who starts first, and where", steps: dispatch },
  { name: "what processes share without a disk in common", steps: sharedTables },
  { name: "doubles", steps: doubleTables },
  { name: "orders of runs", steps: runOrders },
];

function runs({ builder: { schema }, ordinalType, nameType }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("runs")
      .addColumn("ordinal", ordinalType as never, (column) => column.primaryKey())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("agent", nameType as never, (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("started_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("next_sequence", "bigint", (column) => column.notNull())
      .addColumn("fence", "bigint", (column) => column.notNull())
      .addColumn("worker", "text")
      .addColumn("concurrency", "bigint")
      .addColumn("sealed", "text")
      .addColumn("idempotency_key", "text")
      .addColumn("fingerprint", "text")
      .addColumn("artifact_count", "bigint", (column) => column.notNull())
      .addColumn("progress", "text", (column) => column.notNull()),
    // Few runs have a key, and the others should not pay for the index.
    schema
      .createIndex("runs_by_idempotency_key")
      .unique()
      .on("runs")
      .column("idempotency_key")
      .where("idempotency_key", "is not", null),
    schema.createIndex("runs_by_status").on("runs").columns(["status", "ordinal"]),
    schema.createIndex("runs_by_agent").on("runs").columns(["agent", "ordinal"]),
    schema.createIndex("runs_by_status_and_agent").on("runs").columns(["status", "agent", "ordinal"]),
    // The status is always the same here, but a planner prefers the index that matches most of the query.
    schema
      .createIndex("runs_waiting")
      .on("runs")
      .columns(["status", "not_before"])
      .where(sql<boolean>`status = 'queued'`),
  ];
}

function aliases({ builder: { schema } }: SqlDialect): Compilable[] {
  return [
    schema.alterTable("runs").addColumn("alias", "text"),
    schema
      .createIndex("runs_by_alias")
      .on("runs")
      .columns(["alias", "ordinal"])
      .where(sql<boolean>`alias is not null`),
  ];
}

function storedNames({ builder: { schema } }: SqlDialect): Compilable[] {
  return [
    schema.alterTable("artifacts").addColumn("stored_as", "text"),
    schema
      .createIndex("artifacts_by_stored_name")
      .on("artifacts")
      .columns(["stored_as"])
      .where(sql<boolean>`stored_as is not null`),
  ];
}

function runBlocks({ builder }: SqlDialect): Compilable[] {
  const block = sql<number>`ordinal / 1024`;
  return [
    builder.schema
      .createTable("run_blocks")
      .addColumn("block", "integer", (column) => column.primaryKey())
      .addColumn("total", "bigint", (column) => column.notNull()),
    builder
      .insertInto("run_blocks")
      .columns(["block", "total"])
      .expression(
        builder
          .selectFrom("runs")
          .select((eb) => [block.as("block"), eb.fn.countAll<number>().as("total")])
          .groupBy(block),
      ),
  ];
}

function removedRuns({ builder: { schema } }: SqlDialect): Compilable[] {
  return [schema.createTable("removed_runs").addColumn("run_id", "text", (column) => column.primaryKey())];
}

function talkingRuns({ builder: { schema } }: SqlDialect): Compilable[] {
  const column = (name: string, type: "text" | "bigint") => schema.alterTable("runs").addColumn(name, type);
  // Few runs have any of these, and the others should not pay for the indexes.
  const index = (name: string) =>
    schema
      .createIndex(`runs_by_${name}`)
      .on("runs")
      .columns([name, "ordinal"])
      .where(sql<boolean>`${sql.ref(name)} is not null`);
  return [
    column("conversation", "text"),
    column("parent", "text"),
    column("root", "text"),
    column("continuation", "text"),
    column("expires_at", "bigint"),
    column("check_at", "bigint"),
    ...["conversation", "parent", "root", "expires_at", "check_at"].map(index),
    schema
      .createIndex("runs_asking")
      .on("runs")
      .column("ordinal")
      .where(sql<boolean>`expires_at is not null`),
    schema
      .createTable("workers")
      .addColumn("id", "text", (id) => id.primaryKey())
      .addColumn("alive_until", "bigint", (until) => until.notNull()),
  ];
}

/** Adds the feed. Earlier events have no known order: they come run by run. */
function feed({ builder }: SqlDialect): Compilable[] {
  const { schema } = builder;
  return [
    schema.alterTable("events").addColumn("position", "bigint"),
    builder
      .updateTable("events")
      .from(
        builder
          .selectFrom("runs")
          .select([
            "id",
            "next_sequence",
            sql<number>`sum(next_sequence) over (order by ordinal)`.as("total"),
          ])
          .as("old"),
      )
      .set((eb) => ({ position: eb.ref("old.total") }))
      .whereRef("events.run_id", "=", "old.id")
      .where("events.sequence", "=", sql<number>`old.next_sequence - 1`),
    schema
      .createIndex("events_by_position")
      .on("events")
      .column("position")
      .where(sql<boolean>`position is not null`),
    schema
      .createTable("feed_floor")
      .addColumn("id", "integer", (id) => id.primaryKey())
      .addColumn("position", "bigint", (position) => position.notNull()),
  ];
}

function savedArtifacts({ builder: { schema }, nameType, clustered }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("saved_artifacts")
      .addColumn("app", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("name", nameType as never, (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("sha256", "text")
      .addColumn("size_bytes", "bigint", (column) => column.notNull())
      .addColumn("mime_type", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("saved_artifacts_pk", ["app", "user_id", "session", "name", "version"])
      .modifyEnd(clustered),
    schema
      .createIndex("saved_artifacts_by_sha256")
      .on("saved_artifacts")
      .column("sha256")
      .where(sql<boolean>`sha256 is not null`),
  ];
}

function gatewayIds({ builder: { schema }, clustered }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("gateway_ids")
      .addColumn("gateway", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("inner_id", "text", (column) => column.notNull())
      .addColumn("outer_id", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("context", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("gateway_ids_pk", ["gateway", "kind", "inner_id"])
      .modifyEnd(clustered),
    schema
      .createIndex("gateway_ids_by_outer_id")
      .on("gateway_ids")
      .columns(["gateway", "kind", "user_id", "outer_id", "created_at"]),
  ];
}

function longPayloads({ builder }: SqlDialect): Compilable[] {
  const isLong = sql<boolean>`octet_length(payload) > ${sql.lit(LOG_PAYLOAD_CHARS)}`;
  return [
    // With row ids of its own: only the key is in the index, so that a search reads no payload.
    builder.schema
      .createTable("long_payloads")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("payload", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("long_payloads_pk", ["run_id", "sequence"]),
    builder
      .insertInto("long_payloads")
      .columns(["run_id", "sequence", "payload"])
      .expression(builder.selectFrom("events").select(["run_id", "sequence", "payload"]).where(isLong)),
    builder.updateTable("events").set({ payload: "" }).where(isLong),
  ];
}

/** Adds filters of runs. Earlier runs are found by the filters that existed before. */
function runFilters({ builder: { schema } }: SqlDialect): Compilable[] {
  return [
    schema.alterTable("runs").addColumn("protocol", "text"),
    schema.alterTable("runs").addColumn("cost_usd", "double precision"),
    schema.alterTable("runs").addColumn("violated", "integer"),
    schema.createIndex("runs_by_protocol").on("runs").columns(["protocol", "ordinal"]),
    schema.createIndex("runs_by_creation").on("runs").columns(["created_at", "ordinal"]),
    schema
      .createIndex("runs_by_cost")
      .on("runs")
      .columns(["created_at", "ordinal", "cost_usd"])
      .where(sql<boolean>`cost_usd is not null`),
    schema
      .createIndex("runs_violated")
      .on("runs")
      .columns(["violated", "ordinal"])
      .where(sql<boolean>`violated is not null`),
    schema
      .createTable("run_texts")
      .addColumn("ordinal", "integer", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull()),
  ];
}

/** Indexes of what a page of runs can be sorted by. */
function runOrders({ builder: { schema } }: SqlDialect): Compilable[] {
  return [
    schema
      .createIndex("runs_costliest")
      .on("runs")
      .columns(["cost_usd", "ordinal"])
      .where(sql<boolean>`cost_usd is not null`),
    schema
      .createIndex("runs_slowest")
      .on("runs")
      .expression(sql`(ended_at - started_at), ordinal`)
      .where(sql<boolean>`ended_at is not null and started_at is not null`),
  ];
}

function dispatch({ builder: { schema } }: SqlDialect): Compilable[] {
  const column = (name: string, type: "text" | "bigint") => schema.alterTable("runs").addColumn(name, type);
  const number = (table: string, name: string) =>
    schema.alterTable(table).addColumn(name, "bigint", (added) => added.notNull().defaultTo(0));
  const queued = sql<boolean>`status = 'queued'`;
  return [
    number("runs", "rank"),
    column("share", "text"),
    column("requires", "text"),
    column("admitted", "bigint"),
    schema.createIndex("runs_in_line").on("runs").columns(["status", "rank", "ordinal"]).where(queued),
    schema
      .createIndex("runs_in_line_of_agent")
      .on("runs")
      .columns(["status", "agent", "rank", "ordinal"])
      .where(queued),
    schema
      .createIndex("runs_in_line_of_share")
      .on("runs")
      .columns(["share", "rank"])
      .where(sql<boolean>`status = 'queued' and share is not null`),
    schema
      .createIndex("runs_requiring")
      .on("runs")
      .columns(["requires"])
      .where(sql<boolean>`status = 'queued' and requires is not null`),
    schema
      .createIndex("runs_admitted")
      .on("runs")
      .columns(["agent"])
      .where(sql<boolean>`admitted is not null`),
    schema.alterTable("workers").addColumn("document", "text"),
    number("workers", "busy"),
    number("workers", "draining"),
  ];
}

function events({ builder: { schema }, clustered }: SqlDialect): Compilable {
  return schema
    .createTable("events")
    .addColumn("run_id", "text", (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("timestamp", "bigint", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("origin", "text")
    .addPrimaryKeyConstraint("events_pk", ["run_id", "sequence"])
    .modifyEnd(clustered);
}

function artifacts({ builder: { schema }, clustered }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("artifacts")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("sequence", "bigint", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("sha256", "text")
      .addPrimaryKeyConstraint("artifacts_pk", ["run_id", "sequence"])
      .addForeignKeyConstraint("artifacts_event", ["run_id", "sequence"], "events", ["run_id", "sequence"])
      .modifyEnd(clustered),
    schema.createIndex("artifacts_by_id").on("artifacts").columns(["run_id", "id"]),
    schema.createIndex("artifacts_by_sha256").on("artifacts").columns(["sha256"]),
  ];
}

function agents({ builder: { schema }, nameType }: SqlDialect): Compilable {
  return schema
    .createTable("agents")
    .addColumn("name", nameType as never, (column) => column.primaryKey())
    .addColumn("document", "text", (column) => column.notNull())
    .addColumn("sealed", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull());
}

function probes({ builder: { schema } }: SqlDialect): Compilable {
  return schema.createTable("proctor_probes").addColumn("body", "text", (column) => column.notNull());
}
