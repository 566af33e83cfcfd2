// The one deadline of an attempt (invariant 4). Whatever ends it early (time, a limit, a person, the hub) goes through
// here once: ask, wait out the grace, force, and finally give up waiting.
import { failure, type Failure } from "../core/failure.ts";
import { LazyAbortController } from "../core/lazy-abort-controller.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { StopSignals } from "../core/ports/driver.ts";
import type { TerminalStatus } from "../core/run.ts";

/** Why an attempt was stopped, and how the run is recorded for it. */
export interface StopCause {
  status: TerminalStatus;
  failure: Failure;
}

export interface Stopper {
  readonly signals: StopSignals;
  /** Controller of the engine's own work for the attempt, such as copying files: aborted some time after the agent was forced, and at its end. */
  readonly work: Pick<AbortController, "signal">;
  /** Why the attempt was stopped; undefined while it was not. */
  readonly cause: StopCause | undefined;
  /** Resolves when even force did not end the session. */
  readonly abandoned: Promise<void>;
  /** Stops the attempt; only the first cause counts. `graceMs: 0` uses force at once. */
  stop(cause: StopCause, graceMs?: number): void;
  /** Stops the deadline's clock while there is a reason to pause. */
  pause(why?: PauseReason): void;
  resume(why?: PauseReason): void;
  /** To be called when the attempt is over: no timer is left, and `stop` does nothing any more. */
  close(): void;
}

/** Why the clock stands still: a client paused the run, its surroundings are being made, or the agent waits for an answer. */
type PauseReason = "asked" | "preparing" | "waiting";

/** Milliseconds after the agent was forced for which the engine may still keep what it left. */
const KEEP_WITHIN_MS = 5_000;
/** Milliseconds after that for which a session may still take, before the attempt ends without it. */
const ABANDON_AFTER_MS = 5_000;

export function createStopper(options: {
  clock: Clock;
  timeoutMs: number;
  graceMs: number;
  onTimeout: () => StopCause;
}): Stopper {
  const { clock } = options;
  const signals = new Signals();
  const { cancelling, killing } = signals;
  const work = new LazyAbortController();
  let giveUp = (): void => undefined;
  const abandoned = new Promise<void>((resolve) => (giveUp = resolve));
  let remainingMs = options.timeoutMs;
  let resumedAt = clock.now();
  let callOff = clock.after(remainingMs, expire);
  const paused = new Set<PauseReason>();
  let closed = false;

  function expire(): void {
    stop(options.onTimeout());
  }

  function insist(): void {
    killing.abort();
    callOff = clock.after(KEEP_WITHIN_MS, () => {
      work.abort();
      callOff = clock.after(ABANDON_AFTER_MS, giveUp);
    });
  }

  function stop(because: StopCause, graceMs = options.graceMs): void {
    if (closed || killing.aborted) return;
    if (stopper.cause !== undefined && graceMs > 0) return;
    stopper.cause ??= because;
    callOff();
    cancelling.abort();
    if (graceMs > 0) callOff = clock.after(graceMs, insist);
    else insist();
  }

  const stopper: Stopper & { cause: StopCause | undefined } = {
    signals,
    work,
    cause: undefined,
    abandoned,
    stop,
    pause(why = "asked") {
      if (stopper.cause !== undefined) return;
      const isFirst = paused.size === 0;
      paused.add(why);
      if (!isFirst) return;
      callOff();
      remainingMs -= clock.now() - resumedAt;
    },
    resume(why = "asked") {
      if (closed || !paused.delete(why)) return;
      if (paused.size > 0 || stopper.cause !== undefined) return;
      resumedAt = clock.now();
      callOff = clock.after(Math.max(0, remainingMs), expire);
    },
    close() {
      closed = true;
      callOff();
      work.abort();
    },
  };
  return stopper;
}

class Signals implements StopSignals {
  readonly cancelling = new LazyAbortController();
  readonly killing = new LazyAbortController();

  get cancel(): AbortSignal {
    return this.cancelling.signal;
  }

  get kill(): AbortSignal {
    return this.killing.signal;
  }
}

export function cancelledBecause(reason = "cancelled by request"): StopCause {
  return { status: "cancelled", failure: failure("CANCELLED", reason) };
}
