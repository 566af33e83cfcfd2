// Takes the runs that dead workers left, of all queues: concluding a run needs neither a free slot nor its labels. The library
// fetches only from the head of one queue, so the jobs are taken as it does it: the attempt counts on, and fences whoever had it before.
import type { QueueTransaction } from "../../core/ports/run-queue.ts";
import type { QueuePool } from "./open-pool.ts";

interface LeftJob {
  id: string;
  retryCount: number;
  queue: string;
}

/** Runs that are taken at once. */
const BATCH = 100;

// A job waits for a retry when the heartbeats of its worker stopped. The conditions are those of the index that the library fetches by.
const LEFT = `name in (select name from proctor_queue.queue where name = 'runs' or name like 'runs/%')
  and state < 'active' and not blocked and state = 'retry'`;
const ANY_LEFT = `select exists(select 1 from proctor_queue.job_common where ${LEFT}) as found`;
const TAKE = `with taken as (
    select name, id from proctor_queue.job_common where ${LEFT} order by created_on limit $1 for update skip locked
  )
  update proctor_queue.job_common as job
  set state = 'active', started_on = now(), heartbeat_on = now(), retry_count = job.retry_count + 1
  from taken where job.name = taken.name and job.id = taken.id
  returning job.id, job.name as queue, job.retry_count as "retryCount"`;

export async function takeLeft(tx: QueueTransaction): Promise<{ jobs: LeftJob[]; more: boolean }> {
  const jobs = await tx.all<LeftJob>({ sql: TAKE, parameters: [BATCH] });
  return { jobs, more: jobs.length === BATCH };
}

export async function isAnyLeft(pool: Pick<QueuePool, "query">): Promise<boolean> {
  const [row] = await pool.query<{ found: boolean }>(ANY_LEFT);
  return row?.found === true;
}
