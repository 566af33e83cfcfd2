// Reads the documents for the test that holds them to the code: sections, tables, code blocks.

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

interface Fence {
  language: string;
  code: string;
}

function fences(text: string): Fence[] {
  return Array.from(text.matchAll(FENCE), ([, language = "", code = ""]) => ({
    language,
    code,
  }));
}

export function withoutFences(text: string): string {
  return text.replaceAll(FENCE, "");
}

/** The code blocks in this language; "" for those that name none. */
export function blocks(text: string, language: string): string[] {
  return fences(text)
    .filter((fence) => fence.language === language)
    .map(({ code }) => code);
}

/** The one that begins with this line. */
export function block(text: string, language: string, first: string): string {
  const found = blocks(text, language).find((code) => code.startsWith(`${first}\n`));
  if (found === undefined) throw new Error(`there is no block that begins with "${first}"`);
  return found;
}

export function headings(text: string): string[] {
  return all(withoutFences(text), /^#+ (.*)$/gm);
}

/** What stands between a heading and the next one. A comment in a code block is no heading. */
export function section(text: string, heading: string): string {
  const masked = text.replaceAll(FENCE, (code) => code.replaceAll(/^#/gm, "\\#"));
  const start = masked.indexOf(`# ${heading}\n`);
  if (start === -1) throw new Error(`there is no section "${heading}"`);
  return masked.slice(masked.indexOf("\n", start)).split(/^#+ /m)[0] ?? "";
}

/** The cells of the tables, without their heads. */
export function rows(text: string): string[][] {
  const cells = text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  const isRule = (row: string[] | undefined): boolean => /^-+$/.test(row?.[0] ?? "");
  return cells.filter((row, index) => !isRule(row) && !isRule(cells[index + 1]));
}

/** The words in code of the first cells, sorted. */
export function firstWords(text: string): string[] {
  return rows(text)
    .flatMap(([cell = ""]) => all(cell, /`([\w.]+)`/g))
    .sort();
}

/** Lines of output, without what differs each time. */
export function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/\(\d+\.\ds\)|in \d+\.\ds$/, "(time)")
        .replace(/(?:runs show|run) [0-9a-f-]{36}/, "run (id)"),
    );
}

/** The first group of every match. */
export function all(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? match[0]);
}
