// Requests of clients about a run at work (cancel, pause, resume) are written into its log, where its owner finds them, in this process or in
// another. Where a run has no owner, the hub writes what the owner would.
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { isBegun } from "../core/run-machine.ts";
import { isClientRun, isTerminal, type Run } from "../core/run.ts";
import { withdrawals } from "./conclude.ts";
import type { Door } from "./door.ts";
import type { Engine } from "./engine.ts";

interface ControlDeps {
  engine: Engine;
  log: LogReader;
  clock: Clock;
  door: Door;
  tell: Hub["tell"];
  /** Resolves with the run. Throws RUN_NOT_FOUND. */
  existing: (id: string) => Promise<Run>;
  /** Milliseconds that the owner of a run may take to react. */
  ownerSilentMs: number;
}

interface Control {
  cancel(id: string, reason: string): Promise<Run>;
  pause(id: string): Promise<Run>;
  resume(id: string): Promise<Run>;
  /** Ends a run that has not ended, and waits for its end. */
  stop(id: string): Promise<void>;
  /** Cancels all timers. */
  close(): void;
}

/** Milliseconds that a run to be removed may take to stop; the engine gives up earlier. */
const STOP_WITHIN_MS = 120_000;
/** Milliseconds that a parked run to be cancelled waits for a worker. */
const CANCEL_WITHIN_MS = 30_000;

export function createControl(deps: ControlDeps): Control {
  const { engine, log, clock, door, tell, existing } = deps;
  const timers = new Set<() => void>();

  async function cancelOnce(id: string, reason: string): Promise<Run> {
    const { run, talk } = await door.secrets(id);
    if (run.status === "cancelled") return run;
    if (isTerminal(run.status)) throw alreadyEnded(run);
    if (isClientRun(run)) return (await tell(id, () => [cancelled(reason)])).run;
    const request: EventDraft = { type: "run.cancel_requested", payload: { reason } };
    if (talk?.parked === true) {
      const asked = await door.append(id, [request, ...withdrawals(run, reason)], { unowned: true });
      engine.wake();
      const callOff = clock.after(CANCEL_WITHIN_MS, () => {
        timers.delete(callOff);
        void endUncancelled(id, reason);
      });
      timers.add(callOff);
      return asked;
    }
    if (!isBegun(run)) return door.append(id, [cancelled(reason)], { unowned: true });
    const asked = await door.append(id, [request]);
    return engine.has(id) || isTerminal(asked.status)
      ? asked
      : ownerActs(id, (now) => isTerminal(now.status));
  }

  /** Ends a run whose session no worker opened to cancel it. */
  async function endUncancelled(id: string, reason: string): Promise<void> {
    try {
      await door.append(id, [cancelled(reason)], { unowned: true });
    } catch {
      // A worker has the run, or it ended.
    }
  }

  /** Waits until the owner has done its part. */
  async function ownerActs(id: string, done: (run: Run) => boolean): Promise<Run> {
    const signal = AbortSignal.timeout(deps.ownerSilentMs);
    try {
      return await log.until(
        id,
        async () => {
          const run = await existing(id);
          return done(run) || isTerminal(run.status) ? run : undefined;
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      throw ownerSilent(id, deps.ownerSilentMs);
    }
  }

  async function twice<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The run started, parked or ended between the read and the write: read once more.
      if (!isIllegal(error) && !isOvertaken(error)) throw error;
      return work();
    }
  }

  async function wish(
    id: string,
    request: EventDraft,
    own: EventDraft,
    status: (run: Run) => boolean,
  ): Promise<Run> {
    const { run, talk } = await door.secrets(id);
    if (isClientRun(run)) return door.append(id, [own]);
    if (talk?.parked === true || !isBegun(run)) {
      const after = await door.append(id, [own], { unowned: true });
      engine.wake();
      return after;
    }
    await door.append(id, [request]);
    const after = await ownerActs(id, status);
    if (status(after)) return after;
    throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} is ${after.status}: it takes no ${own.type}`, {
      details: { run_id: id, status: after.status, event: own.type },
    });
  }

  const cancel = (id: string, reason: string): Promise<Run> => twice(() => cancelOnce(id, reason));

  return {
    cancel,
    pause: (id) =>
      twice(() =>
        wish(
          id,
          { type: "run.pause_requested", payload: {} },
          { type: "run.paused", payload: {} },
          ({ status }) => status === "paused",
        ),
      ),
    resume: (id) =>
      twice(() =>
        wish(
          id,
          { type: "run.resume_requested", payload: {} },
          { type: "run.resumed", payload: {} },
          ({ status }) => status !== "paused" && !isTerminal(status),
        ),
      ),
    close() {
      for (const callOff of timers) callOff();
    },
    async stop(id) {
      try {
        const asked = await cancel(id, "the run is removed");
        if (!isTerminal(asked.status)) await log.ended(id, AbortSignal.timeout(STOP_WITHIN_MS));
      } catch (error) {
        if (!isIllegal(error) || !isTerminal((await existing(id)).status)) throw error;
      }
    },
  };
}

export function isIllegal(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION";
}

function isOvertaken(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "CHANGED_MEANWHILE";
}

function cancelled(reason: string): EventDraft & { type: "run.ended" } {
  return { type: "run.ended", payload: { status: "cancelled", failure: failure("CANCELLED", reason) } };
}

function alreadyEnded(run: Run): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${run.id} is ${run.status}: it cannot be cancelled`, {
    details: { run_id: run.id, status: run.status },
  });
}

function ownerSilent(id: string, withinMs: number): ProctorError {
  return new ProctorError(
    "OWNER_SILENT",
    `the process that carries out run ${id} did not react within ${withinMs / 1000} s\n` +
      `What was asked stays in the run's log, and takes effect when it is read.`,
    { details: { run_id: id } },
  );
}
