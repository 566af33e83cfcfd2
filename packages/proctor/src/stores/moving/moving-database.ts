// What moving needs of a database of either kind: rows in pages, rows in bulk, one transaction at a time.

export type Row = Record<string, string | number | null>;

export interface MovingDatabase {
  kind: "sqlite" | "postgres";
  /** Address of the database for messages, without a password. */
  where: string;
  /** Names of all tables. */
  tables(): Promise<string[]>;
  columns(table: string): Promise<string[]>;
  /** Resolves with all rows; `?` stands for the parameters, in their order. */
  all(sql: string, ...parameters: unknown[]): Promise<Row[]>;
  /** Inserts the rows, and notes the progress, in one transaction. */
  insert(table: string, columns: readonly string[], rows: readonly Row[], progress: string): Promise<void>;
  /** To be called after the last row: columns that count up continue from there. */
  finish(counted: readonly { table: string; column: string }[], lastPosition: number): Promise<void>;
  close(): Promise<void>;
}

/** Reads rows after `after`, in the order of the key. */
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

/** Most rows of a page, and most characters that one should have: rows can be long. */
const MAX_ROWS = 5000;
const PAGE_CHARS = 8 * 1024 * 1024;
const FIRST_ROWS = 10;
const GROWTH = 4;

export async function* readTable(
  database: MovingDatabase,
  table: string,
  key: readonly string[],
  after?: readonly unknown[],
  maxRows = MAX_ROWS,
): AsyncGenerator<Row[]> {
  let limit = Math.min(FIRST_ROWS, maxRows);
  for (let at = after; ;) {
    const rows = await readPage(database, table, key, at, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    at = key.map((column) => last[column]);
    const fitting = Math.floor(PAGE_CHARS / Math.max(1, charsOf(rows) / rows.length));
    limit = Math.max(1, Math.min(fitting, limit * GROWTH, maxRows));
  }
}

function charsOf(rows: readonly Row[]): number {
  let sum = 0;
  for (const row of rows)
    for (const name in row) {
      const value = row[name];
      if (typeof value === "string") sum += value.length;
    }
  return sum;
}
