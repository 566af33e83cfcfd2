// Opens connections with the settings that the store's promises need. The library is loaded at the first connection: a command on
// SQLite never does.
import type { Client, ClientConfig, Pool, types as PgTypes } from "pg";

/** Milliseconds after which a transaction that waits for another's row is undone. */
const LOCK_TIMEOUT_MS = 5000;
/** Milliseconds that no statement of the store takes, unless the server is in trouble. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Milliseconds after which an answer will not arrive any more: the server would have ended the statement, so the way to it is cut. */
const ANSWER_TIMEOUT_MS = 70_000;
/** Milliseconds after which a process that was stopped in the middle of a transaction loses it, so that others can continue. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;

/** Ids of `int8` and `numeric`: counts, sums and times, which all fit into a number. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700]);

interface PoolOptions {
  url: string;
  connections: number;
  /** Milliseconds after which a query without an answer is given up, with its connection; 70,000 when absent. */
  answerMs?: number | undefined;
}

export async function connectPool({ url, connections, answerMs }: PoolOptions): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    ...settings(url, pg.types),
    query_timeout: answerMs ?? ANSWER_TIMEOUT_MS,
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    async onConnect(client) {
      client.on("error", () => undefined);
      await client.query(DURABLE);
    },
  });
  // A connection that breaks while nobody uses it is replaced; one that breaks in use rejects what was asked of it. Without these
  // listeners either would end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** Opens a separate connection, for LISTEN. */
export async function connectAlone(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ ...settings(url, pg.types), statement_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Statement that makes a commit wait for the disk, whatever the server's default is; a stricter default stays. */
const DURABLE =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'";

function settings(url: string, types: typeof PgTypes): ClientConfig {
  return {
    connectionString: url,
    application_name: "proctor",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: {
      getTypeParser: (oid, format) =>
        NUMBERS.has(oid) ? Number : (types.getTypeParser(oid, format) as never),
    },
  };
}
