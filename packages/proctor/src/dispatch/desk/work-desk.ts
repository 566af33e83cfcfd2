// The desk of a hub that has the database: gives runs to workers that do not, and does for them what needs it. It remembers nothing of
// a worker between two calls: each brings its tickets.
import { ProctorError } from "../../core/errors.ts";
import type { LentRun } from "../../core/ports/lent-runs.ts";
import type { ClaimedRun, NewEvent } from "../../core/ports/store.ts";
import type { HeldRun, Opened, TicketHolder, WorkCaller, WorkDesk } from "../../core/ports/work-desk.ts";
import { OPERATOR } from "../../core/caller.ts";
import type { Run } from "../../core/run.ts";
import { releaseRun } from "../release-run.ts";
import { appendOnce } from "./append-once.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { createLentBlobs } from "./lent-blobs.ts";
import { listenForWork } from "./listen.ts";
import { refuseForeignBytes } from "./refuse-foreign-bytes.ts";
import { readWorkEvent } from "./read-work-event.ts";
import { createTickets } from "./tickets.ts";

/** Milliseconds between two beats, a third of what the queue allows. */
const BEAT_MS = 3000;
const LEASE_MS = 10_000;
/** Milliseconds that a worker is shown as alive after its beat. */
const ALIVE_MS = 30_000;

export function createWorkDesk(deps: DeskDeps): WorkDesk {
  const { store, lent, sealer, clock, trees } = deps;
  const tickets = createTickets(deps.runKey);
  const blobs = createLentBlobs(deps);

  function opened(sealed: string | null): Opened {
    return sealed === null ? null : { text: sealer.open(sealed) ?? null };
  }

  /** Checks the ticket. Throws FORBIDDEN. Whether the run is still the caller's is left to the store. */
  async function claimOf(who: TicketHolder, runId: string): Promise<LentRun> {
    const found = await tickets.check(who, who.ticket);
    if (found.job.id === runId) return found;
    throw new ProctorError("FORBIDDEN", "the ticket of the run is refused: it belongs to another run");
  }

  /** Resolves with the run, if the caller still has it. Throws ILLEGAL_TRANSITION. */
  async function heldRun(who: TicketHolder, runId: string): Promise<Run> {
    const held = await lent.look([await claimOf(who, runId)], false);
    const run = held.has(runId) ? await store.readRun(runId) : undefined;
    if (run === undefined) throw lost(runId);
    return run;
  }

  /** Resolves with the run, and the one whose files it continues from. */
  async function withSource(run: Run): Promise<Run[]> {
    const from = run.options.environment?.from?.run_id;
    return [run, ...(from === undefined ? [] : [await related(run, from)])];
  }

  /** Resolves with the run, or one that it continues from. Throws RUN_NOT_FOUND for any other. */
  async function related(run: Run, otherId: string | undefined): Promise<Run> {
    if (otherId === undefined || otherId === run.id) return run;
    const other = await store.readRun(otherId);
    const isNear =
      other !== undefined &&
      (other.conversation_id === run.conversation_id || other.id === run.options.environment?.from?.run_id);
    if (other !== undefined && isNear) return other;
    throw new ProctorError("RUN_NOT_FOUND", `run ${run.id} does not go on from a run ${otherId}`);
  }

  async function lentRuns(who: WorkCaller, held: readonly HeldRun[]): Promise<(LentRun & HeldRun)[]> {
    return Promise.all(held.map(async (one) => ({ ...one, ...(await tickets.check(who, one.ticket)) })));
  }

  async function given(who: WorkCaller, claimed: ClaimedRun) {
    const { run, spec, fence, sequence, talk, sealed, continuation } = claimed;
    const job = lent.give(run.id);
    if (job === undefined) throw new Error(`run ${run.id} was claimed without a job`);
    return {
      ticket: await tickets.issue(who, { job, fence }),
      run,
      spec,
      fence,
      sequence,
      ...(talk && { talk }),
      sealed: opened(sealed),
      continuation: opened(continuation),
    };
  }

  async function successorOf(
    runId: string,
    events: readonly NewEvent[],
    wanted?: { id: string; not_before: number },
  ) {
    const ended = events.find(({ draft }) => draft.type === "run.ended");
    const named = ended?.draft.type === "run.ended" ? ended.draft.payload.retried_as : undefined;
    if (named !== wanted?.id) throw refusedRetry();
    if (wanted === undefined || ended === undefined) return undefined;
    const failed = await store.readSecrets(runId);
    const next = failed && deps.nextAttempt(failed, ended, wanted.not_before);
    if (next === undefined) throw refusedRetry();
    return { ...next, id: wanted.id };
  }

  return {
    async beat(who, facts, held) {
      const worker = workerId(who);
      const [host, pid] = split(who.worker);
      const now = clock.now();
      const row = { ...facts, id: worker, host, pid: Number(pid), over: "http" as const };
      const { drain } = await store.workers.beat(row, now, now + ALIVE_MS);
      const runs = await lentRuns(who, held);
      const alive = await lent.look(runs, true);
      const news = runs.map(({ job: { id }, sequence }) => ({
        run_id: id,
        sequence: alive.get(id) ?? -1,
        known: sequence,
      }));
      return {
        worker,
        drain,
        lost: runs.filter(({ job }) => !alive.has(job.id)).map(({ job }) => job.id),
        news: news
          .filter(({ sequence, known }) => sequence > known)
          .map(({ run_id, sequence }) => ({ run_id, sequence })),
        beat_every_ms: BEAT_MS,
        lease_ms: LEASE_MS,
      };
    },
    leave: (who) => store.workers.remove(workerId(who)),
    async claim(who, { limit, labels }) {
      const { claimed } = await store.claimRuns({
        worker: workerId(who),
        limit,
        now: clock.now(),
        agentLimit: deps.agentConcurrency,
        inFlight: {},
        labels,
        concludes: false,
      });
      return { items: await Promise.all(claimed.map((one) => given(who, one))) };
    },
    async listen(who, { held, ...wish }, signal) {
      return listenForWork({ store, lent, clock }, { ...wish, held: await lentRuns(who, held) }, signal);
    },
    async append(who, runId, { after, events: sent, receipts, continuation, successor: wanted }) {
      const { job, fence } = await claimOf(who, runId);
      const events = sent.map(readWorkEvent);
      const ownRuns = async (): Promise<Run[]> => {
        const run = await store.readRun(runId);
        return run ? withSource(run) : [];
      };
      await refuseForeignBytes({ tickets, ownRuns }, runId, events, receipts);
      const successor = await successorOf(runId, events, wanted);
      const done = lent.vouch(job);
      try {
        const { run, lastSequence } = await appendOnce(store, runId, events, {
          after,
          fence,
          ...(continuation !== undefined && { continuation: sealer.seal(continuation) }),
          ...(successor && { successor }),
        });
        if (run) deps.onWritten(run, events);
        return { last_sequence: lastSequence };
      } catch (error) {
        // The fold of the log does not understand what came.
        if (error instanceof TypeError || error instanceof RangeError)
          throw new ProctorError("INVALID_REQUEST", "the events have no form that a log can hold", {
            cause: error,
          });
        throw error;
      } finally {
        done();
      }
    },
    async release(who, runId) {
      const { job, fence } = await claimOf(who, runId);
      const done = lent.vouch(job);
      try {
        await releaseRun(store, clock, { id: runId, fence });
      } finally {
        done();
      }
    },
    async read(who, runId, otherId) {
      const run = await heldRun(who, runId);
      const other = await related(run, otherId);
      const secrets =
        other.id === run.id || other.id === run.follows ? await store.readSecrets(other.id) : undefined;
      return {
        run: other,
        sealed: other.id === run.id ? opened(secrets?.sealed ?? null) : null,
        continuation: opened(secrets?.continuation ?? null),
      };
    },
    async events(who, runId, { of, after, limit }) {
      const { id } = await related(await heldRun(who, runId), of);
      const records = await store.readEvents(id, after, limit);
      return {
        items: records.map(({ sequence, timestamp, type, payload, origin }) => ({
          sequence,
          timestamp,
          type,
          payload,
          origin,
        })),
      };
    },
    async usedUp(who, runId) {
      const run = await heldRun(who, runId);
      trees.joined(run);
      return { failure: (await trees.usedUp(run)) ?? null };
    },
    async putBlob(who, runId, sha256, content) {
      const ref = await blobs.put(await heldRun(who, runId), sha256, content);
      return { ...ref, receipt: await tickets.receipt(runId, sha256) };
    },
    async readBlob(who, runId, sha256) {
      return blobs.open(await withSource(await heldRun(who, runId)), sha256);
    },
    async settle(who, runId) {
      const { job } = await claimOf(who, runId);
      await blobs.settle(job.id);
    },
  };
}

/** Returns the name of the worker in runs and for operators, which no other token can use. */
function workerId({ caller, worker }: WorkCaller): string {
  return caller.name === OPERATOR.name ? worker : `${worker}@${caller.name.replace(/^token:/, "")}`;
}

function split(worker: string): [host: string, pid: string] {
  const at = worker.lastIndexOf(":");
  return [worker.slice(0, at), worker.slice(at + 1)];
}

function lost(runId: string): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${runId} was given to another worker`, {
    details: { run_id: runId },
  });
}

function refusedRetry(): ProctorError {
  return new ProctorError("INVALID_REQUEST", "the run that takes over is none that the retry policy allows");
}
