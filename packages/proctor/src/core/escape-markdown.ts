// Any text as Markdown and HTML that is only that text: for names and words of agents, tests and suites.
import { printable } from "./printable.ts";
import { shorten } from "./shorten.ts";

const NAME_CHARACTERS = 200;

/** As code, in HTML: there GitHub makes no mentions, references or links of words, and entities are never syntax. */
export function code(text: string): string {
  return `<code>${escapeMarkdown(text)}</code>`;
}

export function codeName(text: string): string {
  return code(shorten(text, NAME_CHARACTERS));
}

export function escapeMarkdown(text: string): string {
  return printable(text.toWellFormed())
    .replaceAll(/[&<>`*_~|[\]#:@$\\]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replaceAll(/www(?=\.)/gi, (word) => `&#${word.charCodeAt(0)};${word.slice(1)}`)
    .replaceAll("\t", " ")
    .replaceAll("\n", "<br>");
}

/** Markdown under a line that opens it. The blank line lets Markdown be Markdown inside HTML. */
export function foldMarkdown(title: string, text: string): string {
  return text === "" ? "" : `<details><summary>${title}</summary>\n\n${text}\n</details>\n`;
}
