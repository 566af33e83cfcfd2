// How far the feed can be read. A position is taken before its transaction commits, so a lower one may appear after a higher one: a reader
// that has gone past it would never see it. Every transaction with a position up to the last one was at work then; once all of them are done,
// nothing can appear below it any more.
import type { Connection, FeedEnd } from "../sql/sql-backend.ts";

/** Milliseconds between two looks at the transactions that are still at work. */
const LOOK_AGAIN_MS = 2;
/** Milliseconds after which a reader must come back later: a process holds a transaction open. */
const PATIENCE_MS = 5000;

const LAST_GIVEN = {
  sql: "select case when is_called then last_value else 0 end as last from feed_positions",
  parameters: [],
};
/**
 * Every transaction that writes holds the lock of its own id until its commit can be seen. A snapshot would not do: it does not list those
 * that began after the last one that ended. Transactions of other databases take no positions here.
 */
const AT_WORK = {
  sql:
    "select transactionid::text as id from pg_locks left join pg_stat_activity using (pid) " +
    "where locktype = 'transactionid' and mode = 'ExclusiveLock' and pid is not null " +
    "and coalesce(datname, current_database()) = current_database()",
  parameters: [],
};

export function createSettledEnd(read: Connection): () => Promise<FeedEnd> {
  let settled = -1;

  async function atWork(): Promise<Set<string>> {
    const rows = await read.all<{ id: string }>(AT_WORK);
    return new Set(rows.map(({ id }) => id));
  }

  return async () => {
    const end = (await read.first<{ last: number }>(LAST_GIVEN))?.last ?? 0;
    if (end <= settled) return { end, isSettled: true };
    // After the position was read: whoever took it had begun by then.
    let pending = [...(await atWork())];
    for (let waited = 0; pending.length > 0; waited += LOOK_AGAIN_MS) {
      if (waited > PATIENCE_MS) return { end, isSettled: false };
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      const present = await atWork();
      pending = pending.filter((id) => present.has(id));
    }
    settled = Math.max(settled, end);
    return { end, isSettled: true };
  };
}
