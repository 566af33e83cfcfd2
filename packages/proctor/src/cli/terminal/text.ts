// Text from anywhere, made fit for one place on a terminal. What an agent says must never move the cursor, change the
// title or recolour the screen of whoever watches it.

// oxlint-disable-next-line no-control-regex -- control characters are exactly what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /^[\p{M}\u{fe00}-\u{fe0f}]$/u;

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

/** Columns the text takes. Expects text without control characters and colours. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cut to at most so many columns, the last one an ellipsis when something was cut. */
export function truncate(text: string, columns: number): string {
  // Whoever asks for less than one column gets nothing; most texts are far shorter than their place.
  if (columns <= 0) return "";
  if (text.length * 2 <= columns || textWidth(text) <= columns) return text;
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
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

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - textWidth(text))) + text;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
