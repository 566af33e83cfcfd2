// A PostgreSQL database to move from or to.
import { FEED_STRIDE } from "../sql/feed.ts";
import { connectAlone } from "../postgres/connect.ts";
import { openConnection } from "../postgres/postgres-connection.ts";
import { describeUrl, mapPostgresErrors } from "../postgres/postgres-errors.ts";
import { prepareDatabase } from "../postgres/prepare-database.ts";
import type { MovingDatabase, Row } from "./moving-database.ts";

/** Brings the database to the present version first. */
export async function openPostgres(url: string): Promise<MovingDatabase> {
  const mapError = mapPostgresErrors(url);
  const client = await connectAlone(url).catch((error: unknown) => {
    throw mapError(error);
  });
  const types = new Map<string, Map<string, string>>();

  async function all(sql: string, ...parameters: unknown[]): Promise<Row[]> {
    let count = 0;
    const text = sql.replaceAll("?", () => `$${++count}`);
    try {
      return (await client.query<Row>(text, parameters)).rows;
    } catch (error) {
      throw mapError(error);
    }
  }

  async function typesOf(table: string): Promise<Map<string, string>> {
    const known = types.get(table);
    if (known !== undefined) return known;
    const rows = await all(
      "select column_name, data_type from information_schema.columns where table_schema = current_schema() and table_name = ? order by ordinal_position",
      table,
    );
    const found = new Map(rows.map((row) => [String(row["column_name"]), String(row["data_type"])]));
    types.set(table, found);
    return found;
  }

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await all("begin");
    try {
      await work();
      await all("commit");
    } catch (error) {
      await all("rollback").catch(() => undefined);
      throw error;
    }
  }

  await inTransaction(() => prepareDatabase(openConnection(client), describeUrl(url))).catch(
    async (error: unknown) => {
      await client.end();
      throw mapError(error);
    },
  );
  return {
    kind: "postgres",
    where: describeUrl(url),
    tables: async () =>
      (await all("select tablename from pg_tables where schemaname = current_schema()")).map(
        ({ tablename }) => String(tablename),
      ),
    columns: async (table) => [...(await typesOf(table)).keys()],
    all,
    insert: (table, columns, rows, progress) =>
      inTransaction(async () => {
        const known = await typesOf(table);
        const names = columns.map((column) => `"${column}"`).join(", ");
        const arrays = columns.map((column) => `?::${known.get(column) ?? "text"}[]`).join(", ");
        // One statement for all rows: an array for each column.
        await all(
          `insert into "${table}" (${names}) select * from unnest(${arrays})`,
          ...columns.map((column) => rows.map((row) => row[column] ?? null)),
        );
        await all(
          "insert into hub_facts (name, value) values ('moving', ?) on conflict (name) do update set value = excluded.value",
          progress,
        );
      }),
    finish: (counted, lastPosition) =>
      inTransaction(async () => {
        await all("delete from run_blocks");
        await all("insert into run_blocks select ordinal / 1024, count(*) from runs group by 1");
        for (const { table, column } of counted)
          await all(
            `select setval(pg_get_serial_sequence('${table}', '${column}'), max("${column}")) from "${table}" having count(*) > 0`,
          );
        const position = (Math.floor(lastPosition / FEED_STRIDE) + 1) * FEED_STRIDE;
        await all("select setval('feed_positions', ?::bigint)", position);
        await all("delete from hub_facts where name = 'moving'");
      }),
    close: () => client.end(),
  };
}
