// Text from anywhere, made fit for one place on a terminal. What an agent says must never move the cursor, change the
// title or recolour the user's screen.
export {
  breakLines,
  padEnd,
  padStart,
  textWidth,
  truncate,
  wrap,
  wrapLines,
} from "../../suites/reporters/columns.ts";

// oxlint-disable-next-line no-control-regex -- control characters are exactly what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const NAMED: Record<string, string> = { "\n": "⏎ ", "\r": "", "\t": " " };

/** Returns the text on one line, with control characters made visible or removed. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(CONTROL, visible).replaceAll(/ {2,}/g, " ");
}

/** Keeps the lines of the text, and makes every other control character visible. */
export function manyLines(text: string): string {
  return text.replaceAll(CONTROL, (character) => (character === "\n" ? "\n" : visible(character)));
}

function visible(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}
