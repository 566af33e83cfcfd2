// Brings a database to the present version, while other processes may be starting on it as well: one of them does it, the others wait.
import { ProctorError } from "../../core/errors.ts";
import { FEED_STRIDE } from "../sql/feed.ts";
import { migrate } from "../sql/migrate.ts";
import type { Connection } from "../sql/sql-backend.ts";
import { CREATE_CHANGES } from "./run-counter.ts";
import { postgresDialect } from "./postgres-dialect.ts";

/** Number of the lock, which no other program should use. */
const LOCK = 7_702_663_172;
const LOCK_WAIT = "120s";

/** Prepares the database inside one transaction. `where` names the database in messages. */
export async function prepareDatabase(tx: Connection, where: string): Promise<void> {
  const ask = (sql: string, ...parameters: unknown[]) => tx.all<{ name: string }>({ sql, parameters });
  await ask("select set_config('lock_timeout', $1, true) as name", LOCK_WAIT);
  await ask(`select pg_advisory_xact_lock(${LOCK})::text as name`);
  await refuseForeign(ask, where);
  await migrate(tx, postgresDialect, where);
  // Beside the numbered steps, because only a database with several writers has these.
  await ask(CREATE_CHANGES);
  await ask(`create sequence if not exists feed_positions start ${FEED_STRIDE} increment ${FEED_STRIDE}`);
}

/** Refuses a database in which another program has tables: some might have the same names. */
async function refuseForeign(
  ask: (sql: string) => Promise<{ name: string }[]> | { name: string }[],
  where: string,
): Promise<void> {
  const tables = await ask(
    "select tablename::text as name from pg_tables where schemaname = current_schema()",
  );
  const names = tables.map(({ name }) => name);
  if (names.length === 0 || names.includes("proctor_migrations")) return;
  throw new ProctorError(
    "CONFIG_INVALID",
    `${where} holds tables of another program (${names.toSorted().slice(0, 3).join(", ")})\n` +
      `Is it a database of Proctor's? If not, create an empty one and name that.`,
  );
}
