// Reports to pg-boss that this process is still at work on its jobs, and finds out which of them are its own.
import type { HeldJob } from "../../core/ports/lent-runs.ts";
import type { Boss } from "./open-boss.ts";
import type { QueuePool } from "./open-pool.ts";

/** A job expires a day after it was fetched, whatever its heartbeats say: before that, it counts from now on again. */
const RENEW_AFTER_MS = 23 * 3_600_000;
const RENEW = `update proctor_queue.job_common set started_on = now()
  where name = $1 and id = $2::uuid and state = 'active' and retry_count = $3`;

/** Returns the ids of the jobs that are still this process's own. */
export async function touchJobs(
  { boss }: Boss,
  pool: QueuePool,
  held: readonly HeldJob[],
  now: number,
): Promise<Set<string>> {
  const alive = new Set<string>();
  for (const [queue, jobs] of jobsByQueue(held)) {
    for (const id of settledIds(await boss.touch(queue, jobs))) alive.add(id);
    for (const job of jobs) {
      if (now - job.since < RENEW_AFTER_MS) continue;
      await pool.query(RENEW, [queue, job.id, job.retryCount]);
      job.since = now;
    }
  }
  return alive;
}

export function jobsByQueue(jobs: readonly HeldJob[]): Map<string, HeldJob[]> {
  const groups = new Map<string, HeldJob[]>();
  for (const job of jobs) groups.set(job.queue, [...(groups.get(job.queue) ?? []), job]);
  return groups;
}

/** Returns the ids of the jobs that the call was right about, which the library names though its types leave them out. */
function settledIds(response: object): string[] {
  const settled: unknown = "settled" in response ? response.settled : undefined;
  return Array.isArray(settled) ? settled.map(String) : [];
}
