// What moving needs of a database of either kind: rows in pages, rows in bulk, one transaction at a time.

export type Row = Record<string, string | number | null>;

export interface MovingDatabase {
  kind: "sqlite" | "postgres";
  /** The database in messages, without a password. */
  where: string;
  /** Names of all tables. */
  tables(): Promise<string[]>;
  columns(table: string): Promise<string[]>;
  /** `?` stands for the parameters, in their order. */
  all(sql: string, ...parameters: unknown[]): Promise<Row[]>;
  /** Inserts the rows, and notes the progress, in one transaction. */
  insert(table: string, columns: readonly string[], rows: readonly Row[], progress: string): Promise<void>;
  /** After the last row: what counts up goes on from there. */
  finish(counted: readonly { table: string; column: string }[], lastPosition: number): Promise<void>;
  close(): Promise<void>;
}

/** Rows after `after`, in the order of the key. */
export function readPage(
  database: MovingDatabase,
  table: string,
  key: readonly string[],
  after: readonly unknown[] | undefined,
  limit: number,
): Promise<Row[]> {
  const columns = key.map((column) => `"${column}"`).join(", ");
  const from = after === undefined ? "" : `where (${columns}) > (${key.map(() => "?").join(", ")})`;
  return database.all(
    `select * from "${table}" ${from} order by ${columns} limit ${limit}`,
    ...(after ?? []),
  );
}

export async function* readTable(
  database: MovingDatabase,
  table: string,
  key: readonly string[],
  after?: readonly unknown[],
  limit = 5000,
): AsyncGenerator<Row[]> {
  for (let at = after; ;) {
    const rows = await readPage(database, table, key, at, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    at = key.map((column) => last[column]);
  }
}
