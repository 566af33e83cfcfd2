// The tables of doubles and of the requests to them. Steps of migrations.ts.
import type { Compilable } from "kysely";
import type { SqlDialect } from "./sql-backend.ts";

export function doubleTables({ builder: { schema }, clustered }: SqlDialect): Compilable[] {
  return [
    schema
      .createTable("doubles")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("document", "text", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("seen_at", "bigint", (column) => column.notNull())
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint")
      .addColumn("requests", "bigint", (column) => column.notNull())
      .addColumn("unmatched", "bigint", (column) => column.notNull()),
    schema
      .createTable("double_requests")
      .addColumn("double_id", "text", (column) => column.notNull())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("document", "text", (column) => column.notNull())
      .addColumn("search", "text", (column) => column.notNull())
      .addColumn("unmatched", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("double_requests_pk", ["double_id", "number"])
      .modifyEnd(clustered),
  ];
}
