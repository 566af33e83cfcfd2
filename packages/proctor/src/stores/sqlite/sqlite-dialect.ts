// The words in which SQLite differs from other SQL databases.
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Schema } from "../sql/schema.ts";
import type { SqlDialect } from "../sql/sql-backend.ts";

/** Kysely only builds here. Its own executor is asynchronous; a transaction that never waits is what we want. */
const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export const sqliteDialect: SqlDialect = {
  builder,
  // As the primary key, an integer column is the row's own number.
  ordinalType: sql`integer`,
  nameType: sql`text`,
  clustered: sql`without rowid`,
  // There is one writer, and its transactions are IMMEDIATE.
  lockRow: sql``,
  lockRun: sql``,
  lockFreeRuns: sql``,
};
