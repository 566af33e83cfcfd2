// Looking for a text or a regular expression without ever hanging on it.
import { messageOf } from "../../core/message-of.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import type { z } from "zod";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

/** True when one of the texts matches. */
type Matcher = (texts: readonly string[]) => boolean;

/** Throws a SyntaxError for an invalid expression. */
export function compilePattern(pattern: string, regex: boolean, flags = ""): Matcher {
  if (!regex) return (texts) => texts.some((text) => text.includes(pattern));
  const expression = parsePattern(pattern, flags);
  const search = (texts: readonly string[]): boolean => texts.some((text) => expression.test(text));
  const tame = isTame(expression.source);
  return (texts) =>
    tame && lengthOf(texts) <= MAX_TAME_LENGTH
      ? search(texts)
      : withinCpuTime("the pattern", () => search(texts));
}

/** Watching an expression costs more than most expressions do. */
const MAX_TAME_LENGTH = 4000;

/** True when it repeats at most one thing without end, and no group: a short text is searched in no time. */
function isTame(source: string): boolean {
  const bare = source.replace(/\\[^1-9k]/g, "_");
  return !/\)[*+?{]|\\|\(\?/.test(bare) && (bare.match(/[*+]|\{\d*,\}/g)?.length ?? 0) <= 1;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Raises an invalid pattern as an error of the suite, at the key that holds it. */
export function checkPattern(pattern: string, context: z.RefinementCtx, key = "pattern", flags = ""): void {
  try {
    parsePattern(pattern, flags);
  } catch (error) {
    const reason = messageOf(error);
    const message = `"${key}" is no regular expression: ${reason}`;
    context.addIssue({ code: "custom", path: [key], message });
  }
}
