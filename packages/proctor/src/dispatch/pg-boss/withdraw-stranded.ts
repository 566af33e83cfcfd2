// Takes back the admission of runs whose labels no worker has any more: they would keep the slots of their agents until one comes.
import type { QueuePool } from "./open-pool.ts";
import { queueOf } from "./queue-names.ts";

/** Admissions that are taken back at once; the next sweep continues. */
const BATCH = 64;

const ADMITTED = "admitted is not null and status = 'queued' and requires is not null";
const ANY_ADMITTED = `select exists(select 1 from runs where ${ADMITTED}) as found`;
const STRANDED = `select id, requires from runs where ${ADMITTED} and not (requires = any($1)) limit $2 for update skip locked`;
// A job that another process takes at this moment is left alone.
const REMOVE = `delete from proctor_queue.job_common where (name, id) in (
    select name, id from proctor_queue.job_common
    where name = any($1) and id = any($2::uuid[]) and state = 'created' for update skip locked
  ) returning id`;
const WITHDRAW = "update runs set admitted = null where id = any($1)";

/** `servedSets` returns the sets of labels that some worker has, as the store writes them. */
export async function withdrawStranded(
  pool: QueuePool,
  servedSets: () => Promise<readonly string[]>,
): Promise<void> {
  const [any] = await pool.query<{ found: boolean }>(ANY_ADMITTED);
  if (any?.found !== true) return;
  const served = await servedSets();
  await pool.transaction(async (tx) => {
    const runs = await tx.all<{ id: string; requires: string }>({
      sql: STRANDED,
      parameters: [served, BATCH],
    });
    if (runs.length === 0) return;
    const queues = [...new Set(runs.map(({ requires }) => queueOf(requires)))];
    const removed = await tx.all<{ id: string }>({
      sql: REMOVE,
      parameters: [queues, runs.map(({ id }) => id)],
    });
    await tx.all({ sql: WITHDRAW, parameters: [removed.map(({ id }) => id)] });
  });
}
