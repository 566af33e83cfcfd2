// A text as sentences and words. Markup, code, addresses and tables are no prose and are left out.

export interface Prose {
  /** Each as its words. */
  sentences: readonly (readonly string[])[];
  /** As they stand there, for messages; in step with `sentences`. */
  raw: readonly string[];
  words: readonly string[];
}

const CODE_BLOCK = /^(```|~~~)[^\n]*\n[^]*?(?:^\1[^\n]*$|$(?![^]))/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK = /\]\([^()\n]{0,500}\)/g;
const ADDRESS = /\b(?:https?:\/\/|www\.|[\w.+-]{1,64}@)[^\s<>)\]]+/gi;
const TABLE_LINE = /^[ \t]*\|.*$/gm;
const HTML = /<[^<>\n]{0,500}>/g;
const HEADING = /^#{1,6}[ \t][^\n]*$/gm;
/** A blank line, or an item of a list, a heading, a quotation behind a line. */
const PARAGRAPH_END = /\n\s*\n|\n(?=[ \t]*(?:[-*+•#>]|\d{1,3}[.)])\s)/;
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’-]*/gu;

/** Words that end in a dot without ending a sentence. */
const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof inc ltd co corp jr sr st vs e.g i.e etc al fig vol approx dept est gen gov sen rep
   jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m`.split(/\s+/),
);

export function toProse(text: string): Prose {
  const plain = text
    .replaceAll("\r\n", "\n")
    .replace(CODE_BLOCK, "\n\n")
    .replace(HEADING, "$&\n")
    .replace(TABLE_LINE, "\n")
    .replace(INLINE_CODE, " ")
    .replace(LINK, "] ")
    .replace(ADDRESS, " ")
    .replace(HTML, " ");
  const raw: string[] = [];
  const sentences: string[][] = [];
  for (const paragraph of plain.split(PARAGRAPH_END)) {
    for (const sentence of splitSentences(paragraph)) {
      const words = wordsOf(sentence);
      if (words.length === 0) continue;
      sentences.push(words);
      raw.push(sentence.replaceAll(/\s+/g, " ").trim());
    }
  }
  return { sentences, raw, words: sentences.flat() };
}

export function wordsOf(text: string): string[] {
  return text.replaceAll("’", "'").match(WORD) ?? [];
}

/** At `.`, `!`, `?` or `…` before a blank and something that may begin a sentence. */
function splitSentences(paragraph: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(/[.!?…]["'”’)\]*_]*\s+(?=["'“‘([*_]*[\p{Lu}\p{N}])/gu)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith(".") && isAbbreviation(paragraph, match.index)) continue;
    parts.push(paragraph.slice(from, end));
    from = end;
  }
  parts.push(paragraph.slice(from));
  return parts;
}

/** Also an initial, as in "J. Doe", and the number in "No. 5". */
function isAbbreviation(text: string, dot: number): boolean {
  const word = /[\p{L}\p{N}.]{1,12}$/u.exec(text.slice(Math.max(0, dot - 12), dot))?.[0] ?? "";
  if (/^no$/i.test(word)) return /^\.\s+\d/.test(text.slice(dot, dot + 20));
  return (
    ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word) || /^\p{Lu}(?:\.\p{Lu})+$/u.test(word)
  );
}
