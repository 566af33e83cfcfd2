// The tables of what processes share when they have no disk in common. Steps of migrations.ts.
import type { Compilable } from "kysely";
import type { SqlDialect } from "./sql-backend.ts";

export function sharedTables({ builder: { schema }, nameType }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("blob_marks")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull()),
    schema.createIndex("blob_marks_by_sha256").on("blob_marks").columns(["sha256", "kind"]),
    schema.createIndex("blob_marks_by_expiry").on("blob_marks").column("expires_at"),
    schema
      .createTable("blob_names")
      .addColumn("name", nameType as never, (column) => column.primaryKey())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull()),
    schema
      .createTable("hub_facts")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull()),
    schema
      .createTable("subscriptions")
      .addColumn("key", nameType as never, (column) => column.primaryKey())
      .addColumn("document", "text", (column) => column.notNull())
      .addColumn("sender", "text")
      .addColumn("sender_until", "bigint", (column) => column.notNull()),
  ];
}
