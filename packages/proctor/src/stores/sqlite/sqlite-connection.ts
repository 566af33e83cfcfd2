// One connection to a SQLite file: statements prepared once, rows as objects, errors from the catalogue.
import Database from "libsql";
import { ProctorError } from "../../core/errors.ts";
import type { Connection, Query } from "../sql/sql-backend.ts";
import type { ErrorMapper } from "./sqlite-errors.ts";

/** A connection that answers at once: nothing else runs between the statements of a transaction but their own promises. */
export interface SqliteConnection extends Connection {
  first: <Row>(query: Query<Row>) => Row | undefined;
  all: <Row>(query: Query<Row>) => Row[];
  run: (query: Query) => number;
  lastKey: () => number;
  /** Runs SQL without parameters: pragmas, and the beginning and end of a transaction. */
  exec: (sql: string) => void;
  inTransaction: () => boolean;
  close: () => void;
}

/** Most statements that are kept, the ones used last: those whose text depends on the request come in many shapes. */
const MAX_STATEMENTS = 200;

export function openConnection(path: string, mapError: ErrorMapper): SqliteConnection {
  const guarded = <T>(action: () => T): T => {
    if (closed) throw new ProctorError("STORE_UNAVAILABLE", "the store is closed");
    try {
      return action();
    } catch (error) {
      throw mapError(error);
    }
  };
  let closed = false;
  let lastKey = 0;
  const database = guarded(() => new Database(path));
  const writers = keepLast(MAX_STATEMENTS, (sql) => database.prepare(sql));
  const readers = keepLast(MAX_STATEMENTS, (sql) => {
    const statement = database.prepare(sql).raw();
    return { statement, columns: statement.columns().map(({ name }) => name) };
  });

  return {
    first: <Row>({ sql, parameters }: Query<Row>) =>
      guarded(() => {
        const { statement, columns } = readers.get(sql);
        // In raw mode a row is the array of its values.
        const values = statement.get(parameters) as unknown[] | undefined;
        return values && (toObject(columns, values) as Row);
      }),
    all: <Row>({ sql, parameters }: Query<Row>) =>
      guarded(() => {
        const { statement, columns } = readers.get(sql);
        return (statement.all(parameters) as unknown[][]).map((values) => toObject(columns, values) as Row);
      }),
    run: ({ sql, parameters }) =>
      guarded(() => {
        const { changes, lastInsertRowid } = writers.get(sql).run(parameters);
        lastKey = Number(lastInsertRowid);
        return changes;
      }),
    lastKey: () => lastKey,
    exec: (sql) => guarded(() => void database.exec(sql)),
    inTransaction: () => database.inTransaction,
    close() {
      if (closed) return;
      closed = true;
      writers.clear();
      readers.clear();
      database.close();
    },
  };
}

function toObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ""] = values[index];
  return row;
}

function keepLast<T>(most: number, create: (key: string) => T): { get(key: string): T; clear(): void } {
  const entries = new Map<string, T>();
  return {
    get(key) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const made = create(key);
      for (const oldest of entries.keys()) {
        if (entries.size < most) break;
        entries.delete(oldest);
      }
      entries.set(key, made);
      return made;
    },
    clear: () => entries.clear(),
  };
}
