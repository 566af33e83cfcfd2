// How many columns of a terminal a text takes, and texts cut or filled to a width. Expects text without control characters
// and colours. Where terminals differ the wider answer is given: a line that is too short harms nobody.

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** All but the last selector of variants, which makes a picture of the character before it. */
const NO_WIDTH = /^[\p{M}\u{fe00}-\u{fe0e}]$/u;
const AS_PICTURE = "\ufe0f";
/** Columns below which a text does not begin next to something else. */
const MIN_BESIDE = 12;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to at most this many columns, the last one an ellipsis when something was cut. */
export function truncate(text: string, columns: number): string {
  // Nothing fits into less than one column; most texts are far shorter than their place.
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

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - textWidth(text))) + text;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300 || character === AS_PICTURE) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Breaks a text into lines, between words where possible; the first line may have less room, or none. */
export function wrap(text: string, columns: number, firstColumns = columns): string[] {
  // Only the blanks that it was broken at: others, such as the one that does not break, are part of the text.
  return breakLines(text, columns, firstColumns).map(withoutBlanks);
}

/** Breaks a text into lines that keep the blanks at their ends, so that they join to the same text. */
export function breakLines(text: string, columns: number, firstColumns = columns): string[] {
  const lines: string[] = firstColumns < Math.min(columns, MIN_BESIDE) ? [""] : [];
  let line = "";
  let width = 0;
  const makeRoom = (more: number): void => {
    if (line === "" || width + more <= (lines.length === 0 ? firstColumns : columns)) return;
    lines.push(line);
    line = "";
    width = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    if (word !== " ") makeRoom(textWidth(withoutBlanks(word)));
    for (const character of word) {
      const columnsOfIt = characterWidth(character);
      if (character !== " ") makeRoom(columnsOfIt);
      line += character;
      width += columnsOfIt;
    }
  }
  return [...lines, line];
}

function withoutBlanks(line: string): string {
  return line.replace(/ +$/, "");
}

/** Breaks a text of several lines, each of which keeps its own indentation. */
export function wrapLines(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return wrap(line.slice(indent.length), Math.max(1, columns - indent.length)).map(
      (part) => `${indent}${part}`,
    );
  });
}
