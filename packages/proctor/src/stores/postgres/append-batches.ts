// Appends that arrive while others are being written go together into one statement, those of one run in their order. A run that is being
// written waits for that; the others do not. What a run is taken to be comes from memory: if another process has changed it meanwhile, the
// statement leaves it alone, and it is read and decided again. Only what was read from the database is refused.
import type { Pool, PoolClient } from "pg";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import { isTerminal } from "../../core/run.ts";
import { decideAppend, leaves, notFound, type AppendOne, type Appended } from "../sql/decide-append.ts";
import { needsTransaction, takeTurns, type Job, type Turn } from "./append-turns.ts";
import { planAppend, type PlannedAppend } from "../sql/plan-append.ts";
import type { RunCache } from "../sql/run-cache.ts";
import type { RunRecord } from "../sql/run-record.ts";
import type { AppenderDeps, Query, SqlBackend } from "../sql/sql-backend.ts";
import { appendStatement, type RunAppends } from "./append-statement.ts";
import { retryCollisions, storeClosed, unknownOutcome, wasUndone } from "./group-commit.ts";
import { toConfig } from "./postgres-connection.ts";
import { isLost, type ErrorMapper } from "./postgres-errors.ts";

/** Most statements that are under way at once. */
const MAX_BATCHES = 3;

/** A turn whose writes are worked out. */
interface Plan extends Turn, RunAppends {
  steps: PlannedAppend[];
  /** Functions that answer the jobs once the run is moved. */
  answers: (() => void)[];
  record: RunRecord;
  /** True when the run ends, and its job with it. */
  ends: boolean;
}

export interface AppendBatches {
  appender: (deps: AppenderDeps) => AppendOne;
  /** Returns true while appends of this run are being written. */
  isWriting: (runId: string) => boolean;
  /** Writes what waits and refuses later appends. */
  close: () => Promise<void>;
}

interface AppendBatchesDeps {
  pool: Pool;
  cache: RunCache;
  mapError: ErrorMapper;
  /** Runs work that takes more than one statement. */
  transact: SqlBackend["write"];
  /** The queue, which takes part in the transactions that take a run from its worker or out of the line. */
  queue?: RunQueue;
}

export function createAppendBatches(deps: AppendBatchesDeps): AppendBatches {
  const { pool, cache, mapError, transact, queue } = deps;
  const waiting = new Map<string, Job[]>();
  const busy = new Set<string>();
  let batches = 0;
  let scheduled = false;
  let closed = false;
  let onIdle: (() => void) | undefined;

  function appender({ load, appendInTransaction }: AppenderDeps): AppendOne {
    function schedule(): void {
      if (scheduled) return;
      scheduled = true;
      // What arrives in one turn of the loop goes together.
      setImmediate(() => {
        scheduled = false;
        start();
      });
    }

    function start(): void {
      while (batches < MAX_BATCHES) {
        const turns = takeTurns(waiting, busy);
        if (turns.length === 0) break;
        for (const { id } of turns) busy.add(id);
        batches++;
        const working = work(turns).catch((error: unknown) => refuse(turns, error));
        void working.finally(() => {
          batches--;
          for (const { id } of turns) busy.delete(id);
          if (waiting.size > 0) schedule();
          else if (busy.size === 0) onIdle?.();
        });
      }
    }

    async function work(turns: readonly Turn[]): Promise<void> {
      const together: Turn[] = [];
      const alone: Turn[] = [];
      for (const turn of turns)
        (turn.jobs[0] && needsTransaction(turn.jobs[0]) ? alone : together).push(turn);
      await Promise.all([writeTogether(together), ...alone.map(writeAlone)]);
    }

    async function writeAlone({ id, jobs }: Turn): Promise<void> {
      for (const { asked, options, resolve, reject } of jobs) {
        cache.remove(id);
        await appendInTransaction(id, asked, options).then(resolve, reject);
      }
    }

    /** Resolves with undefined when nothing is left to write; every caller is answered then. */
    async function plan(turn: Turn, attempt: number): Promise<Plan | Turn | undefined> {
      const known = attempt === 1 ? cache.get(turn.id) : undefined;
      const record = known ?? (await load(turn.id));
      if (record === undefined) {
        for (const { reject } of turn.jobs) reject(notFound(turn.id));
        return undefined;
      }
      const made: Plan = {
        ...turn,
        record,
        steps: [],
        answers: [],
        sealed: null,
        continuation: null,
        ends: false,
      };
      for (const job of turn.jobs) {
        try {
          const before = made.record;
          const events = decideAppend(before, job.asked, job.options);
          const step = planAppend(before, events);
          if (step && step.removed.length > 0) return turn;
          const left = queue && step && leaves(before, step.after);
          if (left !== undefined) {
            if (left !== "ended" || queue?.holds(turn.id) !== true) return turn;
            made.ends = true;
          }
          if (step) made.steps.push(step);
          const after = step?.after ?? before;
          made.record = after;
          if (job.options.sealed !== undefined && !isTerminal(after.state.run.status))
            made.sealed = job.options.sealed;
          if (job.options.continuation !== undefined) made.continuation = job.options.continuation;
          made.answers.push(() =>
            job.resolve({ run: { ...after.state.run }, before, after, events, followed: false }),
          );
        } catch (error) {
          if (known) return plan(turn, attempt + 1);
          made.answers.push(() => job.reject(error));
        }
      }
      if (made.steps.length > 0) return made;
      if (known) return plan(turn, attempt + 1);
      for (const answer of made.answers) answer();
      return undefined;
    }

    async function writeTogether(turns: readonly Turn[], attempt = 1): Promise<void> {
      const plans: Plan[] = [];
      const alone: Turn[] = [];
      await Promise.all(
        turns.map(async (turn) => {
          try {
            const made = await plan(turn, attempt);
            if (made && "steps" in made) plans.push(made);
            else if (made) alone.push(made);
          } catch (error) {
            refuse([turn], mapError(error));
          }
        }),
      );
      // Two processes that append to the same runs lock them in the same order.
      plans.sort((a, b) => (a.id < b.id ? -1 : 1));
      const left = (
        await Promise.all([
          write(plans.filter(({ ends }) => !ends)),
          writeEnds(plans.filter(({ ends }) => ends)),
        ])
      ).flat();
      await Promise.all([
        left.length > 0 ? writeTogether(left, attempt + 1) : undefined,
        ...alone.map(writeAlone),
      ]);
    }

    /** Resolves with the plans whose runs another process has changed meanwhile. */
    async function write(plans: readonly Plan[]): Promise<Plan[]> {
      if (plans.length === 0) return [];
      for (const { id } of plans) cache.remove(id);
      try {
        // Before there is a connection: what cannot be written must not keep one.
        const statement = appendStatement(plans);
        const client = await pool.connect().catch((error: unknown) => {
          refuse(plans, mapError(error));
        });
        if (!client) return [];
        const moved = await place(client, statement);
        for (const [index, made] of plans.entries()) if (moved.has(index + 1)) settle(made);
        return plans.filter((_, index) => !moved.has(index + 1));
      } catch (error) {
        if (isLost(error)) refuse(plans, unknownOutcome(mapError(error)));
        else if (plans.length === 1) refuse(plans, mapError(error));
        // Each on its own, so that none fails because of another.
        else return (await Promise.all(plans.map((made) => write([made])))).flat();
        return [];
      }
    }

    /** Writes the ends of runs, and their jobs with them. Resolves with the plans whose runs another process has changed meanwhile. */
    async function writeEnds(plans: readonly Plan[]): Promise<Plan[]> {
      if (plans.length === 0) return [];
      for (const { id } of plans) cache.remove(id);
      try {
        const statement = appendStatement(plans);
        const moved = await transact(async (tx) => {
          const places = new Set((await tx.all(statement)).map((row) => row.place));
          const ended = plans.filter((_, index) => places.has(index + 1)).map(({ id }) => id);
          if (ended.length > 0) await queue?.completed(tx, ended);
          return places;
        }, plans[0]?.id);
        for (const [index, made] of plans.entries()) if (moved.has(index + 1)) settle(made);
        return plans.filter((_, index) => !moved.has(index + 1));
      } catch (error) {
        if (plans.length === 1 || !wasUndone(error)) refuse(plans, error);
        // Each on its own, so that none fails because of another.
        else await Promise.all(plans.map(writeAlone));
        return [];
      }
    }

    /** Resolves with the places of the runs that were moved. */
    async function place(client: PoolClient, query: Query): Promise<Set<number>> {
      let broken = false;
      try {
        const { rows } = await retryCollisions(() => client.query<{ place: number }>(toConfig(query)));
        return new Set(rows.map((row) => row.place));
      } catch (error) {
        broken = isLost(error);
        throw error;
      } finally {
        client.release(broken);
      }
    }

    function settle({ id, record, answers }: Plan): void {
      if (isTerminal(record.state.run.status)) cache.remove(id);
      else cache.set(id, record);
      for (const answer of answers) answer();
    }

    return (runId, asked, options) =>
      new Promise<Appended>((resolve, reject) => {
        if (closed) return reject(storeClosed());
        const job = { asked, options, resolve, reject };
        const queue = waiting.get(runId);
        if (queue) queue.push(job);
        else waiting.set(runId, [job]);
        schedule();
      });
  }

  return {
    appender,
    isWriting: (runId) => busy.has(runId),
    async close() {
      closed = true;
      if (waiting.size + busy.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

function refuse(turns: readonly Turn[], error: unknown): void {
  for (const { jobs } of turns) for (const { reject } of jobs) reject(error);
}
