// The sources that a text cites, and what is wrong with them by their form alone: nothing is fetched.

interface Citations {
  total: number;
  /** The citations that are wrong, each with the reason. */
  bad: string[];
}

const URL_LIKE = /https?:\/\/[^\s<>"'`|]*/gi;
const EMPTY_LINK = /\[[^[\]\n]{1,200}\]\(\s{0,20}\)/g;
/** Matches `[3]` and `[^note]`, but neither `[3](…)` nor `[3]:`. */
const REFERENCE = /\[(\^[\w-]{1,40}|\d{1,3})\](?![(:])/g;
const AUTHOR_YEAR = /\((\p{Lu}[\p{L}'’-]{1,40})[^()\n]{0,80}?,\s?([12]\d{3})[a-z]?\)/gu;

export function checkCitations(text: string, validSources: readonly string[]): Citations {
  const urls = Array.from(text.matchAll(URL_LIKE), ([url]) => trimmed(url));
  const known = validSources.filter((source) => URL.canParse(source));
  const names = validSources.filter((source) => !URL.canParse(source)).map((name) => name.toLowerCase());
  const bad = urls.flatMap((url) => {
    if (!isWellFormed(url)) return [`${url} is no address`];
    return known.length > 0 && !known.some((source) => isUnder(url, source))
      ? [`${url} is no valid source`]
      : [];
  });
  for (const [link] of text.matchAll(EMPTY_LINK)) bad.push(`${link} leads nowhere`);

  const defined = definitionsIn(text);
  const references = [...new Set(withoutDefinitions(text).match(REFERENCE))];
  for (const reference of references)
    if (!defined.has(reference.slice(1, -1))) bad.push(`${reference} is not among the sources`);

  const authors = names.length === 0 ? [] : [...text.matchAll(AUTHOR_YEAR)];
  for (const [whole, author = "", year = ""] of authors) {
    const found = names.some((name) => name.includes(author.toLowerCase()) && name.includes(year));
    if (!found) bad.push(`${whole} is no valid source`);
  }
  return { total: urls.length + references.length + authors.length, bad: [...new Set(bad)] };
}

/** The address without the punctuation and brackets that follow it in a sentence. */
function trimmed(url: string): string {
  const end = url.replace(/[.,;:!?*_\]}]{1,20}$/, "");
  const text = end.endsWith(")") && !end.includes("(") ? end.slice(0, end.indexOf(")")) : end;
  return text.replace(/[.,;:!?]{1,20}$/, "");
}

function isWellFormed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "localhost" || /^\[|^[^.]+(?:\.[^.]+)+$/.test(hostname);
}

function isUnder(url: string, source: string): boolean {
  const cited = new URL(url);
  const base = new URL(source);
  const path = base.pathname.replace(/\/$/, "");
  const inside = cited.pathname === path || cited.pathname.startsWith(`${path}/`);
  return cited.host === base.host && inside;
}

const DEFINITION = /^[ \t]*(?:\[(\^[\w-]{1,40}|\d{1,3})\][:.]?|(\d{1,3})[.)])[ \t]+\S/gm;

function definitionsIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(DEFINITION), ([, bracketed, plain]) => bracketed ?? plain ?? ""));
}

function withoutDefinitions(text: string): string {
  return text.replaceAll(DEFINITION, "");
}
