// Opens connections with the settings that the store's promises need. The library is loaded when somebody connects: a command on
// SQLite never does.
import type { Client, ClientConfig, Pool, types as PgTypes } from "pg";

/** A transaction that waits longer for another's row is undone. */
const LOCK_TIMEOUT_MS = 5000;
/** No statement of ours takes that long, unless the server is in trouble. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** What the server would have ended by then has no answer any more: the way to it is cut, and nobody was told. */
const ANSWER_TIMEOUT_MS = 70_000;
/** A process that was stopped in the middle of a transaction loses it then, and others go on. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;

/** What the server calls `int8` and `numeric`: counts, sums and times, which all fit into a number. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700]);

interface PoolOptions {
  url: string;
  connections: number;
  /** Milliseconds after which a question that has no answer is given up, with its connection; 70,000 when absent. */
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

/** A connection of its own, for LISTEN. */
export async function connectAlone(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ ...settings(url, pg.types), statement_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Acknowledged means on disk, whatever the server's default is; a stricter one stays. */
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
