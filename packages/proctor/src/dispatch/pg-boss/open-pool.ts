// Connections for the queue, beside those of the store. The library is loaded when somebody connects: a command on SQLite never does.
import type { Client, Pool } from "pg";
import type { QueueTransaction } from "../../core/ports/run-queue.ts";

/** A transaction that waits longer for another's row, or stands still for longer, is undone: its process may have been stopped. */
const LOCK_TIMEOUT_MS = 2000;
const IDLE_IN_TRANSACTION_MS = 2000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface QueuePool {
  query: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;
  /** Answers as the library does: with a list of results where there are several statements. */
  raw: (sql: string, parameters?: unknown[]) => Promise<{ rows: unknown[] }>;
  /** Runs the work in a transaction, once more when it lost against another. */
  transaction: <T>(work: (tx: QueueTransaction) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

export async function openPool(url: string, connections: number): Promise<QueuePool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "proctor queue",
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // Without these listeners a connection that breaks would end the process: what was asked of it is rejected anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return {
    query: async <Row>(sql: string, parameters?: readonly unknown[]) =>
      (await pool.query(sql, parameters && [...parameters])).rows as Row[],
    raw: (sql, parameters) => pool.query(sql, parameters),
    async transaction(work) {
      try {
        return await once(pool, work);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        return once(pool, work);
      }
    },
    close: () => pool.end(),
  };
}

/** A connection of its own, for LISTEN. */
export async function openListener(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "proctor queue notices",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function once<T>(pool: Pool, work: (tx: QueueTransaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("begin");
    const result = await work({
      all: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
        (await client.query(sql, [...parameters])).rows as Row[],
    });
    await client.query("commit");
    broken = false;
    return result;
  } catch (error) {
    broken = await client.query("rollback").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A deadlock, or a row that another transaction held for too long. */
const OVERTAKEN: ReadonlySet<unknown> = new Set(["40P01", "40001", "55P03"]);

function isOvertaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && OVERTAKEN.has(error.code);
}
