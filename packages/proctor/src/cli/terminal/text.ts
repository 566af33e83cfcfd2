// Text from anywhere, made fit for one place on a terminal. What an agent says must never move the cursor, change the
// title or recolour the screen of whoever watches it.
import { characterWidth, textWidth } from "../../core/columns.ts";

export { padEnd, padStart, textWidth, truncate } from "../../core/columns.ts";

// oxlint-disable-next-line no-control-regex -- control characters are exactly what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/** Fewer columns beside something else are not worth beginning in. */
const MIN_BESIDE = 12;

const NAMED: Record<string, string> = { "\n": "⏎ ", "\r": "", "\t": " " };

/** On one line, control characters visible or gone. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(CONTROL, visible).replaceAll(/ {2,}/g, " ");
}

/** Lines are kept, every other control character is made visible. */
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

/** On as many lines as it takes, broken between words where that is possible; the first may have less room, or none. */
export function wrap(text: string, columns: number, firstColumns = columns): string[] {
  const lines: string[] = firstColumns < Math.min(columns, MIN_BESIDE) ? [""] : [];
  let line = "";
  let width = 0;
  const isFull = (more: number): boolean =>
    line !== "" && width + more > (lines.length === 0 ? firstColumns : columns);
  const turn = (): void => {
    lines.push(line.trimEnd());
    line = "";
    width = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    if (isFull(textWidth(word.trimEnd()))) turn();
    for (const character of word) {
      const columnsOfIt = characterWidth(character);
      if (character !== " " && isFull(columnsOfIt)) turn();
      line += character;
      width += columnsOfIt;
    }
  }
  turn();
  return lines;
}
