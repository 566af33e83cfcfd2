// Work whose length depends on what others wrote, such as matching their patterns, with an end to it.
import { createContext, Script, type Context } from "node:vm";

export const LIMIT_MS = 1000;

const TIMEOUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const SCRIPT = new Script("work()");

/** One for all: each costs a megabyte. */
const sandbox: { work?: () => void } = {};
let context: Context | undefined;

/** Throws `<what> took longer than …`. Whatever the work itself throws passes through. */
export function withinTime<T>(what: string, work: () => T, limitMs: number = LIMIT_MS): T {
  let result: { value: T } | undefined;
  context ??= createContext(sandbox);
  const { work: outer } = sandbox;
  sandbox.work = () => {
    result = { value: work() };
  };
  try {
    // What a script calls is interrupted with it, in the midst of an expression, too.
    SCRIPT.runInContext(context, { timeout: limitMs });
  } catch (error) {
    // What the other context throws is no instance of this one's Error.
    const late = typeof error === "object" && error !== null && "code" in error && error.code === TIMEOUT;
    if (!late) throw error;
    throw new Error(`${what} took longer than ${limitMs / 1000} s`, { cause: error });
  } finally {
    if (outer) sandbox.work = outer;
    else delete sandbox.work;
  }
  if (!result) throw new Error(`${what} did not end`);
  return result.value;
}
