// Regular expressions from people's files on text from agents: whatever the two are, the answer comes.
import { parsePattern } from "../../core/parse-pattern.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

/** Characters of a text that are tried; the rest is ignored. */
export const MAX_PATTERN_TEXT = 100_000;
/** Milliseconds that a pattern may take, because the agent and all other users of the hub wait meanwhile. */
const PATTERN_LIMIT_MS = 500;

/** Throws a SyntaxError for an invalid pattern. The returned function throws when the limit is passed. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const expression = parsePattern(pattern);
  return (text) => {
    const beginning = text.slice(0, MAX_PATTERN_TEXT);
    return withinCpuTime(`the pattern /${pattern}/`, () => expression.test(beginning), PATTERN_LIMIT_MS);
  };
}
