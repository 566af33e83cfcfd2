// The runs below one goal: submitted once however often the hub starts again, waited for, and stopped together.
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub, RunRequest } from "../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../core/run.ts";

export interface ChildRuns {
  /** Submits a run. `name` is unique in the goal: the same name finds the run that was submitted before. Throws what the hub refuses. */
  start(name: string, request: RunRequest): Promise<Run>;
  /** Submits a run that follows because the goal was stopped, and therefore is not stopped with the rest. */
  startAfterStop(name: string, request: RunRequest): Promise<Run>;
  /** Resolves when the run has ended. */
  ended(runId: string): Promise<Run>;
  /** Asks every run that has not ended to stop; resolves when all have been asked. */
  stop(reason: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Returns the milliseconds from the request to stop until the end; undefined for a run that was not asked to stop. */
  stopMs(run: Run): number | undefined;
  close(): void;
}

export type ChildHub = Pick<Hub, "submit" | "run" | "runs" | "cancel" | "pause" | "resume">;

/** Calls back with the id of each run that ends, after its commit. */
export type OnEnded = (listener: (runId: string) => void) => () => void;

export function createChildRuns(options: {
  hub: ChildHub;
  onEnded: OnEnded;
  clock: Clock;
  goalId: string;
  traceId: string;
}): ChildRuns {
  const { hub, clock, goalId, traceId } = options;
  /** Ids of runs that have not ended, with the functions to call at their end. */
  const open = new Map<string, ((run: Run) => void)[]>();
  const askedAt = new Map<string, number>();
  let stopping: string | undefined;
  let isPaused = false;
  const unwatch = options.onEnded((runId) => {
    if (open.has(runId)) void settle(runId);
  });

  async function settle(runId: string): Promise<Run> {
    const run = await hub.run(runId);
    if (!isTerminal(run.status)) return run;
    const waiting = open.get(runId) ?? [];
    open.delete(runId);
    for (const resolve of waiting) resolve(run);
    return run;
  }

  async function cancel(runId: string, reason: string): Promise<void> {
    if (!askedAt.has(runId)) askedAt.set(runId, clock.now());
    // The run may have ended meanwhile.
    await hub.cancel(runId, reason).catch(() => undefined);
  }

  async function each(act: (runId: string) => Promise<unknown>): Promise<void> {
    await Promise.all([...open.keys()].map((runId) => act(runId).catch(() => undefined)));
  }

  async function begin(name: string, request: RunRequest): Promise<Run> {
    const alias = `${goalId}/${name}`;
    const run = await submit(hub, { ...request, alias, parent_id: goalId }, alias, traceId);
    if (!isTerminal(run.status) && !open.has(run.id)) open.set(run.id, []);
    return run;
  }

  return {
    startAfterStop: begin,
    async start(name, request) {
      const run = await begin(name, request);
      // The goal was stopped while the run was submitted.
      if (stopping !== undefined) await cancel(run.id, stopping);
      else if (isPaused) await hub.pause(run.id).catch(() => undefined);
      return run;
    },
    async ended(runId) {
      const ended = new Promise<Run>((resolve) => {
        const waiting = open.get(runId);
        if (waiting) waiting.push(resolve);
        else open.set(runId, [resolve]);
      });
      // The run may have ended before it was watched, or have been paused with a goal that went on in another process.
      const { status } = await settle(runId);
      if (status === "paused" && !isPaused) await hub.resume(runId).catch(() => undefined);
      return ended;
    },
    async stop(reason) {
      stopping ??= reason;
      await each((runId) => cancel(runId, reason));
    },
    pause() {
      isPaused = true;
      return each((runId) => hub.pause(runId));
    },
    resume() {
      isPaused = false;
      return each((runId) => hub.resume(runId));
    },
    stopMs({ id, ended_at: ended }) {
      const asked = askedAt.get(id);
      return asked === undefined || ended === null ? undefined : Math.max(0, Date.parse(ended) - asked);
    },
    close: unwatch,
  };
}

async function submit(hub: ChildHub, request: RunRequest, key: string, traceId: string): Promise<Run> {
  try {
    return (await hub.submit(request, { idempotencyKey: key, traceId })).run;
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "IDEMPOTENCY_CONFLICT") throw error;
    // The run was submitted before a crash, perhaps to another agent, and counts.
    const { items } = await hub.runs({ alias: key, limit: 1 });
    const [found] = items;
    if (found === undefined) throw error;
    return found;
  }
}
