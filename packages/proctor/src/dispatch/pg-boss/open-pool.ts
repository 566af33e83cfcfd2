// Connections for the queue, apart from those of the store. The library is loaded at the first connection: a command on SQLite never does.
import { createHash } from "node:crypto";
import type { Client, Pool, QueryConfig } from "pg";
import type { QueueTransaction } from "../../core/ports/run-queue.ts";

/** Milliseconds after which a transaction that waits for another's row, or stands still, is undone: its process may have been stopped. */
const LOCK_TIMEOUT_MS = 2000;
const IDLE_IN_TRANSACTION_MS = 2000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds after which the way to the database counts as cut: twice what a worker may be silent for. */
const ANSWER_TIMEOUT_MS = 20_000;

export interface QueuePool {
  query: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;
  /** Answers as the library does: with a list of results where there are several statements. */
  raw: (sql: string, parameters?: unknown[]) => Promise<{ rows: unknown[] }>;
  /** Runs the work in a transaction, once more when it lost against another. Of those with the same name, one runs at a time. */
  transaction: <T>(work: (tx: QueueTransaction) => Promise<T>, name?: string) => Promise<T>;
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
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // Without these listeners a connection that breaks would end the process: what was asked of it is rejected anyway.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return {
    query: async <Row>(sql: string, parameters?: readonly unknown[]) =>
      (await pool.query(parameters ? prepared(sql, parameters) : sql)).rows as Row[],
    raw: (sql, parameters) => pool.query(sql, parameters),
    async transaction(work, name) {
      try {
        return await once(pool, work, name);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        return once(pool, work, name);
      }
    },
    close: () => pool.end(),
  };
}

/** Opens a separate connection, for LISTEN. */
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

async function once<T>(
  pool: Pool,
  work: (tx: QueueTransaction) => Promise<T>,
  name: string | undefined,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    // In one message: the name is a number, made of nothing that anybody else wrote.
    await client.query(
      name === undefined ? "begin" : `begin; select pg_advisory_xact_lock(${lockNumber(name)})`,
    );
    const result = await work({
      all: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
        (await client.query(prepared(sql, parameters))).rows as Row[],
    });
    await client.query("commit");
    broken = false;
    return result;
  } catch (error) {
    if (isUnanswered(error)) throw error;
    broken = await client.query("rollback").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Most texts that are prepared: pg-boss makes some that depend on the request. */
const MAX_STATEMENTS = 200;
const names = new Map<string, string>();

/** Returns a statement that each connection parses and plans once: doing it each time costs the server more than carrying it out. */
function prepared(text: string, parameters: readonly unknown[]): QueryConfig<unknown[]> {
  let name = names.get(text);
  if (name === undefined && names.size < MAX_STATEMENTS) {
    name = `proctor_queue_${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? { text, values: [...parameters] } : { name, text, values: [...parameters] };
}

/** Returns the same number for the same name in every process. */
function lockNumber(name: string): string {
  return createHash("sha256").update(`proctor admission ${name}`).digest().readBigInt64BE().toString();
}

/** Codes of a deadlock, and of a row that another transaction held for too long. */
const OVERTAKEN: ReadonlySet<unknown> = new Set(["40P01", "40001", "55P03"]);

/** Returns whether the connection is of no use any more, and would not answer a rollback either. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

function isOvertaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && OVERTAKEN.has(error.code);
}
