// Regular expressions from people's files on text from agents: whatever the two are, the answer comes.
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

/** Longer texts are tried up to here. */
export const MAX_PATTERN_TEXT = 100_000;
/** An agent waits for the answer, and so does everybody else at the hub. */
const PATTERN_LIMIT_MS = 500;

/** Flags in front of a pattern, as Python has them: `(?i)error`. */
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** Throws a SyntaxError for a pattern that is none. What it returns throws when the limit is passed. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const flags = new Set(INLINE_FLAGS.exec(pattern)?.[1]);
  const expression = new RegExp(pattern.replace(INLINE_FLAGS, ""), [...flags].join(""));
  return (text) => {
    const beginning = text.slice(0, MAX_PATTERN_TEXT);
    return withinCpuTime(`the pattern /${pattern}/`, () => expression.test(beginning), PATTERN_LIMIT_MS);
  };
}
