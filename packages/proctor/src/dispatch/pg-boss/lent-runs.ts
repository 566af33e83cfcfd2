// The runs of workers without the database, as the queue knows them. Nothing is remembered here: each call brings the job that it is about.
import type { LentRuns } from "../../core/ports/lent-runs.ts";
import type { Boss } from "./open-boss.ts";
import type { QueuePool } from "./open-pool.ts";
import { servedQueues } from "./queue-names.ts";
import type { HeldJobs } from "./run-queue.ts";
import { touchJobs } from "./touch-jobs.ts";

interface FencedRun {
  id: string;
  fence: number;
  last: number;
  ended: boolean;
}

const FENCES = `select id, fence::int as fence, (next_sequence - 1)::float8 as last, ended_at is not null as ended
  from runs where id = any($1)`;
const WAITS = `select exists(select 1 from proctor_queue.job_common
  where name = any($1) and state = 'created' and not blocked and start_after <= now()) as waits`;

export interface ServedRuns extends LentRuns {
  /** Returns whether workers with labels were served: their queues may have been made by others. */
  hasLabels(): boolean;
}

export function createLentRuns(options: {
  queue: HeldJobs;
  boss: Boss;
  pool: QueuePool;
  now: () => number;
  watch: LentRuns["watch"];
}): ServedRuns {
  const { queue, boss, pool, now } = options;
  let hasLabels = false;
  return {
    hasLabels: () => hasLabels,
    give: (runId) => queue.give(runId),
    vouch: (job) => queue.vouch(job),
    async look(runs, beat) {
      if (runs.length === 0) return new Map();
      const rows = await pool.query<FencedRun>(FENCES, [runs.map(({ job }) => job.id)]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      // A job alone does not tell: a run that was parked and queued again has another of the same number.
      const held = runs.filter(({ job, fence }) => byId.get(job.id)?.fence === fence);
      const atWork = held.filter(({ job }) => byId.get(job.id)?.ended === false).map(({ job }) => job);
      const alive = beat ? await touchJobs(boss, pool, atWork, now()) : undefined;
      const kept = held.filter(
        ({ job: { id } }) => alive === undefined || byId.get(id)?.ended === true || alive.has(id),
      );
      return new Map(kept.map(({ job: { id } }) => [id, byId.get(id)?.last ?? -1]));
    },
    async waits(labels) {
      if (labels.length > 0) hasLabels = true;
      const [row] = await pool.query<{ waits: boolean }>(WAITS, [servedQueues(boss.queues(), labels)]);
      if (row?.waits === true) queue.expected.expect();
      return row?.waits === true;
    },
    watch: options.watch,
  };
}
