// Looking for a text or a regular expression without ever hanging on it.
import { createContext, Script } from "node:vm";

/** True when one of the texts matches. */
export type Matcher = (texts: readonly string[]) => boolean;

const LIMIT_MS = 1000;
/** Flags in front of a pattern, as in Python: `(?i)error`. */
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** Throws a SyntaxError for an expression that is none. */
export function compilePattern(pattern: string, regex: boolean): Matcher {
  if (!regex) return (texts) => texts.some((text) => text.includes(pattern));
  const flags = new Set(INLINE_FLAGS.exec(pattern)?.[1]);
  const expression = new RegExp(pattern.replace(INLINE_FLAGS, ""), [...flags].join(""));
  return (texts) => testWithin(expression, texts);
}

/** A pattern that backtracks without end can be interrupted only from outside its context. */
function testWithin(expression: RegExp, texts: readonly string[]): boolean {
  const context = createContext({ source: expression.source, flags: expression.flags, texts });
  try {
    return SCRIPT.runInContext(context, { timeout: LIMIT_MS }) === true;
  } catch (error) {
    // What the other context throws is no instance of this one's Error.
    const late = typeof error === "object" && error !== null && "code" in error && error.code === TIMEOUT;
    throw new Error(late ? `the pattern took longer than ${LIMIT_MS / 1000} s` : "the pattern failed", {
      cause: error,
    });
  }
}

const TIMEOUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const SCRIPT = new Script(`
  const expression = new RegExp(source, flags);
  texts.some((text) => expression.test(text));
`);
