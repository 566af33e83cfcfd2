// Work whose length depends on what others wrote, such as matching their patterns, with an end to it. The limit is CPU time, so
// that the result does not depend on how busy the machine is.
import { createContext, Script, type Context } from "node:vm";
import { threadCpuMs } from "./thread-cpu.ts";

const CPU_LIMIT_MS = 1000;

/** The share of its limit that work gets before it is stopped; tests of work that never ends lower it. */
export const granted = { share: 1 };

/** Thrown when the work used up its CPU time. It may well be right; it only takes too long. */
export class TooSlowError extends Error {
  override name = "TooSlowError";
}

const TIMEOUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const SCRIPT = new Script("work()");
/** Share of the limit from which it counts as used up: the clock of a thread lags behind by a tick. */
const USED_UP = 0.9;
/** Smallest share of a CPU that says something about the next try. */
const LEAST_SHARE = 1 / 500;
/** How many times its limit work may wait without a share of a CPU that is believed. */
const PATIENCE = 30;

const RESTING = new Int32Array(new SharedArrayBuffer(4));

/** One context serves all calls, because each costs a megabyte. */
const sandbox: { work?: () => void } = {};
let context: Context | undefined;

/**
 * Throws a `TooSlowError` when the work takes more CPU time than the limit. Whatever the work itself throws passes through.
 * The work may be started several times, so it must be free of effects that add up.
 */
export function withinCpuTime<T>(what: string, work: () => T, limitMs: number = CPU_LIMIT_MS): T {
  // A script can be interrupted only after some wall time. If the thread did not get its CPU time until then, the work
  // is done again, for one and a half times as long as it would need at that share of a CPU.
  const grantedMs = limitMs * granted.share;
  let wallMs = grantedMs;
  let hasRested = false;
  for (;;) {
    const startedAt = threadCpuMs();
    const done = interruptAfter(Math.ceil(wallMs), work);
    if (done) return done.value;
    const usedMs = threadCpuMs() - startedAt;
    if (usedMs >= grantedMs * USED_UP) {
      if (hasRested) break;
      // What the thread did before may have been added only now: what it takes is measured once more from a clock that is right.
      rest();
      hasRested = true;
      continue;
    }
    const share = usedMs / wallMs;
    if (share >= LEAST_SHARE) {
      wallMs = Math.max(2 * wallMs, (1.5 * grantedMs) / share);
    } else {
      // The thread was stopped for a while, and gets more next time; or its clock stands still, and never shows anything.
      if (wallMs > grantedMs * PATIENCE) break;
      wallMs *= 2;
    }
  }
  throw new TooSlowError(`${what} is too slow: stopped after ${limitMs / 1000} s of CPU time`);
}

/** A system may bring the clock of a thread up to date only when the thread leaves its CPU. */
function rest(): void {
  Atomics.wait(RESTING, 0, 0, 1);
}

/** Returns undefined when the work was interrupted. */
function interruptAfter<T>(wallMs: number, work: () => T): { value: T } | undefined {
  let result: { value: T } | undefined;
  context ??= createContext(sandbox);
  const { work: outer } = sandbox;
  sandbox.work = () => {
    result = { value: work() };
  };
  try {
    // Functions that a script calls are interrupted with it, even in the middle of a regular expression.
    SCRIPT.runInContext(context, { timeout: wallMs });
  } catch (error) {
    // Errors of the other context are no instances of this one's Error.
    const late = typeof error === "object" && error !== null && "code" in error && error.code === TIMEOUT;
    if (!late) throw error;
    return undefined;
  } finally {
    if (outer) sandbox.work = outer;
    else delete sandbox.work;
  }
  return result;
}
