// The tables of evaluations, and what runs know of theirs. A step of migrations.ts.
import { sql, type Compilable } from "kysely";
import type { SqlDialect } from "./sql-backend.ts";

export function evaluationTables(dialect: SqlDialect): Compilable[] {
  const { schema } = dialect.builder;
  return [
    ...evaluations(dialect),
    ...cases(dialect),
    schema
      .createTable("removed_evaluations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("position", "bigint", (column) => column.notNull()),
    schema.createIndex("removed_evaluations_by_position").on("removed_evaluations").column("position"),
    schema.alterTable("runs").addColumn("evaluation", "text"),
    // Most runs belong to no evaluation, and should not pay for the index.
    schema
      .createIndex("runs_by_evaluation")
      .on("runs")
      .columns(["evaluation", "ordinal"])
      .where(sql<boolean>`evaluation is not null`),
  ];
}

function evaluations({ builder: { schema }, ordinalType, nameType, clustered }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("evaluations")
      .addColumn("ordinal", ordinalType as never, (column) => column.primaryKey())
      .addColumn("id", nameType as never, (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("alive_until", "bigint")
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("git_commit", "text")
      .addColumn("passed", "bigint", (column) => column.notNull())
      .addColumn("failed", "bigint", (column) => column.notNull())
      .addColumn("unevaluated", "bigint", (column) => column.notNull())
      .addColumn("position", "bigint", (column) => column.notNull())
      .addColumn("document", "text", (column) => column.notNull()),
    schema.createIndex("evaluations_by_position").on("evaluations").column("position"),
    // All that a summary of them reads.
    schema
      .createIndex("evaluations_by_start")
      .on("evaluations")
      .columns(["started_at", "passed", "failed", "unevaluated"]),
    schema
      .createTable("evaluation_parts")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("name", nameType as never, (column) => column.notNull())
      .addColumn("ordinal", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("evaluation_parts_pk", ["kind", "name", "ordinal"])
      .modifyEnd(clustered),
    schema.createIndex("evaluation_parts_by_ordinal").on("evaluation_parts").column("ordinal"),
  ];
}

function cases({ builder: { schema }, nameType }: SqlDialect): Compilable[] {
  const index = (name: string, columns: string[]) =>
    schema.createIndex(`evaluation_cases_by_${name}`).on("evaluation_cases").columns(columns);
  return [
    // With row ids of its own: the details stay out of the key's index.
    schema
      .createTable("evaluation_cases")
      .addColumn("evaluation", "text", (column) => column.notNull())
      .addColumn("id", nameType as never, (column) => column.notNull())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("rank", "integer", (column) => column.notNull())
      .addColumn("suite", nameType as never, (column) => column.notNull())
      .addColumn("test_id", nameType as never, (column) => column.notNull())
      .addColumn("agent", nameType as never, (column) => column.notNull())
      .addColumn("case_key", "text", (column) => column.notNull())
      .addColumn("settled_at", "bigint", (column) => column.notNull())
      .addColumn("position", "bigint", (column) => column.notNull())
      .addColumn("change", "text")
      .addColumn("summary", "text", (column) => column.notNull())
      .addColumn("comparison", "text")
      .addColumn("details", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("evaluation_cases_pk", ["evaluation", "id"]),
    index("number", ["evaluation", "number", "id"]),
    index("rank", ["evaluation", "rank", "number", "id"]),
    index("position", ["position"]),
    index("evaluation_position", ["evaluation", "position"]),
    index("test", ["suite", "test_id", "settled_at"]),
    index("key", ["case_key", "settled_at"]),
    index("id", ["id", "settled_at"]),
  ];
}
