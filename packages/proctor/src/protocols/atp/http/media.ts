// Media types of ATP over HTTP: which a header names, and which both sides can use. Document 000, "Version Negotiation".

export const ATP_JSON = "application/vnd.atp.v1+json";
export const PLAIN_JSON = "application/json";
export const EVENT_STREAM = "text/event-stream";

export type JsonType = typeof ATP_JSON | typeof PLAIN_JSON;

export interface MediaType {
  /** Name in lower case, `type/subtype`. */
  name: string;
  parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const NAME = new RegExp(`^${TOKEN}/${TOKEN}$`);
const PARAMETER = new RegExp(`^(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")$`);

/** Returns undefined when the header is absent or is not a media type. */
export function parseMediaType(header: string | null | undefined): MediaType | undefined {
  const [name = "", ...rest] = splitOutsideQuotes(header ?? "", ";");
  if (!NAME.test(name)) return undefined;
  const parameters = new Map<string, string>();
  for (const text of rest) {
    if (text === "") continue;
    const [match, key = "", token, quoted = ""] = PARAMETER.exec(text) ?? [];
    if (match === undefined) return undefined;
    parameters.set(key.toLowerCase(), token ?? quoted.replaceAll(/\\(.)/g, "$1"));
  }
  return { name: name.toLowerCase(), parameters };
}

/** Returns the type when it is JSON that holds an ATP message of our version. */
export function jsonTypeOf(type: MediaType | undefined): JsonType | undefined {
  return type?.name === ATP_JSON || type?.name === PLAIN_JSON ? type.name : undefined;
}

/**
 * Returns the best of `offers` for an Accept header, undefined when it takes none of them. The client's quality decides, then the order of the
 * offers. RFC 9110, 12.5.1: for each offer the most specific range counts; no header takes anything.
 */
export function negotiate<T extends string>(accept: string | null, offers: readonly T[]): T | undefined {
  if (accept === null || accept.trim() === "") return offers[0];
  const ranges = splitOutsideQuotes(accept, ",").flatMap(parseRange);
  let best: { offer: T; quality: number } | undefined;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer;
}

interface Range {
  name: string;
  quality: number;
}

/** Returns one element of Accept; nothing when it is malformed, as if it were not there. */
function parseRange(text: string): Range[] {
  const type = parseMediaType(text);
  if (type === undefined) return [];
  const weight = type.parameters.get("q") ?? "1";
  if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) return [];
  return [{ name: type.name, quality: Number(weight) }];
}

function qualityOf(offer: string, ranges: readonly Range[]): number {
  const anySubtype = `${offer.slice(0, offer.indexOf("/"))}/*`;
  for (const name of [offer, anySubtype, "*/*"]) {
    const found = ranges.filter((range) => range.name === name);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator).map((part) => part.trim());
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "\\" && quoted) index++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}
