// A command line as its words and back, quoted as in a POSIX shell. No shell: nothing is expanded, nothing but words is read.
import { ProctorError } from "./errors.ts";

const BLANK = /[ \t\r\n]/;
const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Returns the words of a command line. `column` is where `text` begins in what the user wrote, so that errors point there. */
export function parseCommandLine(text: string, column = 1): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;

  const refuse = (at: number, what: string, next: string): never => {
    throw new ProctorError("INVALID_REQUEST", `${what} at column ${column + at}\n${next}`, {
      details: { column: column + at },
    });
  };

  /** Reads from behind the opening quote to behind the closing one. */
  const readQuoted = (quote: string): string => {
    const start = index - 1;
    let content = "";
    while (index < text.length) {
      const character = text.charAt(index++);
      if (character === quote) return content;
      // Inside double quotes a backslash escapes only these; a line feed behind it joins the lines.
      if (quote === '"' && character === "\\" && /["\\$`\n]/.test(text.charAt(index))) {
        const escaped = text.charAt(index++);
        content += escaped === "\n" ? "" : escaped;
      } else content += character;
    }
    const name = quote === '"' ? "double" : "single";
    return refuse(start, `unclosed ${name} quote`, `close it, or write \\${quote} for the character itself`);
  };

  const nul = text.indexOf("\0");
  if (nul !== -1) refuse(nul, "a NUL character", "no program can be given one; remove it");
  while (index < text.length) {
    const character = text.charAt(index++);
    if (BLANK.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      word = (word ?? "") + readQuoted(character);
    } else if (character === "\\") {
      if (index === text.length) {
        refuse(index - 1, "a backslash with nothing behind it", "write \\\\ for the character itself");
      }
      const escaped = text.charAt(index++);
      if (escaped !== "\n") word = (word ?? "") + escaped;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The inverse of `parseCommandLine`: each word is quoted where it needs to be. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
