// Regular expressions from people's files on text from agents: whatever the two are, the answer comes in time.
import { createContext, Script } from "node:vm";

/** Longer texts are tried up to here. */
export const MAX_PATTERN_TEXT = 100_000;
export const PATTERN_LIMIT_MS = 250;

/** Flags in front of a pattern, as Python has them: `(?i)error`. */
const INLINE_FLAGS = /^\(\?([ims]+)\)/;
const TIMEOUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const SCRIPT = new Script("expression.test(text)");

/** Throws a SyntaxError for a pattern that is none. What it returns throws when the limit is passed. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const flags = new Set(INLINE_FLAGS.exec(pattern)?.[1]);
  const expression = new RegExp(pattern.replace(INLINE_FLAGS, ""), [...flags].join(""));
  const sandbox = { expression, text: "" };
  const context = createContext(sandbox);
  return (text) => {
    sandbox.text = text.slice(0, MAX_PATTERN_TEXT);
    try {
      // Backtracking without end can be interrupted only from outside of the script that does it.
      return SCRIPT.runInContext(context, { timeout: PATTERN_LIMIT_MS }) === true;
    } catch (cause) {
      const late = typeof cause === "object" && cause !== null && "code" in cause && cause.code === TIMEOUT;
      const why = late ? `took longer than ${PATTERN_LIMIT_MS} ms` : "failed";
      throw new Error(`the pattern /${pattern}/ ${why}`, { cause });
    } finally {
      sandbox.text = "";
    }
  };
}
