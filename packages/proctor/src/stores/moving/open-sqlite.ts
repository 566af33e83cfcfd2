// A SQLite file to move from or to. The caller holds its lock.
import type { SqliteConnection } from "../sqlite/sqlite-connection.ts";
import { connectWriter } from "../sqlite/connect.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import { mapSqliteErrors } from "../sqlite/sqlite-errors.ts";
import type { MovingDatabase, Row } from "./moving-database.ts";

/** Brings the file to the present version first; makes it when it is missing. */
export async function openSqlite(file: string): Promise<MovingDatabase> {
  await (await openSqliteStore({ file })).close();
  const connection = connectWriter(
    file,
    mapSqliteErrors(file, () => "open"),
  );
  const all = (sql: string, ...parameters: unknown[]): Row[] => connection.all<Row>({ sql, parameters });

  return {
    kind: "sqlite",
    where: file,
    tables: async () =>
      all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").map(
        ({ name }) => String(name),
      ),
    columns: async (table) =>
      all("select name from pragma_table_info(?)", table).map(({ name }) => String(name)),
    all: async (sql, ...parameters) => all(sql, ...parameters),
    insert: async (table, columns, rows, progress) =>
      inTransaction(connection, () => {
        const names = columns.map((column) => `"${column}"`).join(", ");
        const sql = `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`;
        for (const row of rows)
          connection.run({ sql, parameters: columns.map((column) => row[column] ?? null) });
        noteProgress(connection, progress);
      }),
    finish: async (_counted, lastPosition) =>
      inTransaction(connection, () => {
        connection.exec("delete from run_blocks");
        connection.exec("insert into run_blocks select ordinal / 1024, count(*) from runs group by 1");
        // Positions of removed runs are never given again.
        const floor =
          "insert into feed_floor (id, position) values (1, ?) on conflict (id) do update set position = max(position, excluded.position)";
        if (lastPosition > 0) connection.run({ sql: floor, parameters: [lastPosition] });
        connection.exec("delete from hub_facts where name = 'moving'");
      }),
    close: async () => {
      connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      connection.close();
    },
  };
}

function noteProgress(connection: SqliteConnection, progress: string): void {
  connection.run({
    sql: "insert into hub_facts (name, value) values ('moving', ?) on conflict (name) do update set value = excluded.value",
    parameters: [progress],
  });
}

function inTransaction(connection: SqliteConnection, work: () => void): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    work();
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction()) connection.exec("ROLLBACK");
    throw error;
  }
}
