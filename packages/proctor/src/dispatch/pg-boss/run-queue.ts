// The queue inside the store's transactions: a claim fetches the job and starts the run in one commit, an end completes the job with the
// run's last event. Jobs have the ids of their runs.
import type { JobWithMetadata } from "pg-boss";
import type { HeldJob, LentRuns } from "../../core/ports/lent-runs.ts";
import type { QueueTransaction, RunQueue } from "../../core/ports/run-queue.ts";
import { createExpectedJobs, type ExpectedJobs } from "./expected-jobs.ts";
import { inTransaction, type Boss } from "./open-boss.ts";
import { queueOf, servedQueues } from "./queue-names.ts";
import { takeLeft } from "./take-left.ts";
import { jobsByQueue } from "./touch-jobs.ts";

interface RunData {
  rank: number;
}

const UNADMIT = "update runs set admitted = null where id = $1 and admitted is not null returning requires";

export interface HeldJobs extends RunQueue, Pick<LentRuns, "give" | "vouch"> {
  /** Jobs that this process has fetched and not left, by the ids of their runs. */
  held: ReadonlyMap<string, HeldJob>;
  /** Tells when jobs may have come. */
  expected: ExpectedJobs;
  /** Returns whether the next `take` with these labels looks for runs, and whether it looks for those of dead workers. */
  mayWait: (labels: readonly string[]) => boolean;
  mayBeLeft: () => boolean;
  /** Reports that runs of dead workers were seen in the queue. */
  expectLeft: () => void;
}

export function createRunQueue(options: {
  boss: Boss;
  now: () => number;
  /** Called when a run of this agent may be admitted. */
  onChanged: (agent: string) => void;
}): HeldJobs {
  const { boss, queues } = options.boss;
  const held = new Map<string, HeldJob>();
  const expected = createExpectedJobs();
  // True even at the start: what an earlier process left here comes first.
  let mayBeLeft = true;

  async function left(tx: QueueTransaction): Promise<string[]> {
    if (!mayBeLeft) return [];
    const { jobs, more } = await takeLeft(tx);
    mayBeLeft = more;
    for (const job of jobs) held.set(job.id, { ...job, since: options.now() });
    return jobs.map(({ id }) => id);
  }

  return {
    held,
    expected,
    mayWait: (labels) => servedQueues(queues(), labels).some(expected.mayHave),
    mayBeLeft: () => mayBeLeft,
    expectLeft() {
      mayBeLeft = true;
    },
    give(runId) {
      const job = held.get(runId);
      held.delete(runId);
      return job;
    },
    vouch(job) {
      held.set(job.id, job);
      return () => {
        if (held.get(job.id) === job) held.delete(job.id);
      };
    },
    async take(tx, { limit, labels = [], concludes = true }) {
      const first = concludes ? await left(tx) : [];
      const taken: { id: string; rank: number }[] = [];
      const emptied: (() => void)[] = [];
      for (const queue of servedQueues(queues(), labels)) {
        const batchSize = limit - taken.length;
        if (batchSize <= 0) break;
        if (!expected.mayHave(queue)) continue;
        const noteEmpty = expected.ask(queue);
        const jobs: Pick<JobWithMetadata<RunData>, "id" | "retryCount" | "data">[] =
          await boss.fetch<RunData>(queue, { batchSize, includeMetadata: true, db: inTransaction(tx) });
        for (const { id, retryCount, data } of jobs) {
          held.set(id, { id, retryCount, queue, since: options.now() });
          taken.push({ id, rank: data.rank });
        }
        if (jobs.length < batchSize) emptied.push(noteEmpty);
      }
      // A batch comes back in no order.
      const inOrder = taken.sort((a, b) => a.rank - b.rank).map(({ id }) => id);
      const committed = (): void => {
        for (const noteEmpty of emptied) noteEmpty();
      };
      return { ids: [...first, ...inOrder], at: options.now(), committed };
    },
    holds: (runId) => held.has(runId),
    async completed(tx, runIds) {
      const jobs = runIds.flatMap((id) => held.get(id) ?? []);
      const db = inTransaction(tx);
      for (const [queue, members] of jobsByQueue(jobs)) await boss.complete(queue, members, null, { db });
    },
    async left(tx, runId, how) {
      const [run] = await tx.all<{ requires: string | null }>({ sql: UNADMIT, parameters: [runId] });
      if (run === undefined) return;
      const job = held.get(runId);
      const db = inTransaction(tx);
      if (job !== undefined && how === "ended") await boss.complete(job.queue, job, null, { db });
      // A parked run comes back under the same id. One that this process never had waits in the queue, and its row is locked by this
      // transaction: nobody else can have it.
      else await boss.deleteJob(queueOf(run.requires), job ?? runId, { db });
    },
    async drop(tx: QueueTransaction, runId) {
      await tx.all({ sql: UNADMIT, parameters: [runId] });
      const job = held.get(runId);
      if (job !== undefined) await boss.deleteJob(job.queue, job, { db: inTransaction(tx) });
    },
    changed(agent, runId, isLeft) {
      if (isLeft) held.delete(runId);
      options.onChanged(agent);
    },
  };
}
