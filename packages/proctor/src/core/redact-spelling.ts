// How one character of a secret may be spelled in a trace: each spelling is a path from a node to END. A secret is a row of
// such characters, so every mixture of escapes is found without listing them. Leaves rows to redact-patterns.ts.

interface Edge {
  readonly code: number;
  /** Last code that the edge carries, from `code` on; only `code` when absent. */
  readonly last?: number;
  readonly to: SpellingNode;
}

export interface SpellingNode {
  readonly id: number;
  /** Several edges may carry the same code; the matcher follows all of them. */
  readonly edges: Edge[];
}

let lastId = 0;
const createNode = (): SpellingNode => ({ id: ++lastId, edges: [] });

/** The character is complete. */
export const END: SpellingNode = createNode();

/** JSON in JSON, four deep: a quote has fifteen backslashes before it, a backslash has become sixteen. */
const MAX_BACKSLASHES = 16;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "\\": "\\",
  "/": "/",
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

/** Form encoding, and terminals, which send CR LF for a line feed. */
const OTHER_SPELLINGS: Readonly<Record<string, readonly string[]>> = { " ": ["+"], "\n": ["\r\n"] };

/** Named character references of HTML for ASCII; every character has numeric ones. */
const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  "\t": ["Tab"],
  "\n": ["NewLine"],
  "!": ["excl"],
  '"': ["quot", "QUOT"],
  "#": ["num"],
  $: ["dollar"],
  "%": ["percnt"],
  "&": ["amp", "AMP"],
  "'": ["apos"],
  "(": ["lpar"],
  ")": ["rpar"],
  "*": ["ast", "midast"],
  "+": ["plus"],
  ",": ["comma"],
  ".": ["period"],
  "/": ["sol"],
  ":": ["colon"],
  ";": ["semi"],
  "<": ["lt", "LT"],
  "=": ["equals"],
  ">": ["gt", "GT"],
  "?": ["quest"],
  "@": ["commat"],
  "[": ["lsqb", "lbrack"],
  "\\": ["bsol"],
  "]": ["rsqb", "rbrack"],
  "^": ["Hat"],
  _: ["lowbar", "UnderBar"],
  "`": ["grave", "DiacriticalGrave"],
  "{": ["lcub", "lbrace"],
  "|": ["verbar", "vert", "VerticalLine"],
  "}": ["rcub", "rbrace"],
};

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** Adds one spelling. With `anyCase`, letters match in both cases: for hex digits. */
function link(from: SpellingNode, text: string, to: SpellingNode, anyCase = false): void {
  let at = from;
  for (let index = 0; index < text.length; index++) {
    const next = index === text.length - 1 ? to : createNode();
    const code = text.charCodeAt(index);
    at.edges.push({ code, to: next });
    if (anyCase && code >= 0x61) at.edges.push({ code: code - 0x20, to: next });
    at = next;
  }
}

/** Adds `\` + kind + hex digits, behind as many backslashes as nested quoting may have made of the one. */
function linkEscape(from: SpellingNode, kind: string, digits: string, to: SpellingNode): void {
  const afterKind = digits === "" ? to : createNode();
  link(afterKind, digits, to, true);
  let at = from;
  for (let count = 0; count < MAX_BACKSLASHES; count++) {
    const next = createNode();
    link(at, "\\", next);
    link(next, kind, afterKind);
    at = next;
  }
}

/** Adds a row of parts, each of which `add` links in its own spellings. */
function linkRow<T>(
  from: SpellingNode,
  parts: readonly T[],
  add: (from: SpellingNode, part: T, to: SpellingNode) => void,
): void {
  let at = from;
  for (const [index, part] of parts.entries()) {
    const next = index === parts.length - 1 ? END : createNode();
    add(at, part, next);
    at = next;
  }
}

function linkPercent(from: SpellingNode, byte: number, to: SpellingNode): void {
  link(from, `%${hex(byte, 2)}`, to, true);
  link(from, `%25${hex(byte, 2)}`, to, true);
}

/** `&amp;`, `&#38;`, `&#x26;`, with zeros before the digits, and once more escaped as `&amp;#38;`. */
function linkEntities(from: SpellingNode, character: string): void {
  const point = character.codePointAt(0) ?? 0;
  const inner = createNode();
  for (const ampersand of ["&", "&amp;"]) link(from, ampersand, inner);
  for (const name of ENTITIES[character] ?? []) link(inner, `${name};`, END);
  const zeros = createNode();
  link(inner, "#", zeros);
  zeros.edges.push({ code: 0x30, to: zeros });
  link(zeros, `${point};`, END);
  const hexZeros = createNode();
  for (const x of ["x", "X"]) link(zeros, x, hexZeros);
  hexZeros.edges.push({ code: 0x30, to: hexZeros });
  link(hexZeros, `${point.toString(16)};`, END, true);
}

function spellCharacter(character: string): SpellingNode {
  const root = createNode();
  const bytes = [...utf8(character)];
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  link(root, character, END);
  // The UTF-8 bytes read as Latin-1, which is how binary content is searched.
  if (bytes.length > 1) link(root, String.fromCharCode(...bytes), END);
  linkRow(root, bytes, linkPercent);
  linkRow(root, bytes, (from, byte, to) => linkEscape(from, "x", hex(byte, 2), to));
  linkRow(root, units, (from, unit, to) => linkEscape(from, "u", hex(unit, 4), to));
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) linkEscape(root, short, "", END);
  for (const other of OTHER_SPELLINGS[character] ?? []) link(root, other, END);
  linkEntities(root, character);
  return root;
}

export const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: Readonly<Record<string, string>> = { "+": "-", "/": "_" };

/** A base64 digit of which only the bits under `mask` are known. */
function spellBase64(mask: number, bits: number): SpellingNode {
  const root = createNode();
  for (let value = 0; value < 64; value++) {
    const digit = BASE64[value];
    if (digit === undefined || (value & mask) !== bits) continue;
    link(root, digit, END);
    const urlSafe = URL_SAFE[digit];
    if (urlSafe === undefined) continue;
    link(root, urlSafe, END);
    linkPercent(root, digit.charCodeAt(0), END);
    if (digit === "/") linkEscape(root, "/", "", END);
  }
  return root;
}

/** Returns the same spelling, possibly on a new line: `base64` and `xxd -p` fold what they print. */
function spellFolded(inner: SpellingNode): SpellingNode {
  const root = createNode();
  root.edges.push(...inner.edges);
  linkLineBreak(root, inner);
  return root;
}

/** Adds a line break, plain or escaped in JSON. */
function linkLineBreak(from: SpellingNode, to: SpellingNode): void {
  link(from, "\n", to);
  link(from, "\r\n", to);
  linkEscape(from, "n", "", to);
  const afterReturn = createNode();
  linkEscape(from, "r", "", afterReturn);
  linkEscape(afterReturn, "n", "", to);
}

const MAX_REMEMBERED = 4096;

function remember<A extends number[] | [string]>(
  create: (...key: A) => SpellingNode,
): (...key: A) => SpellingNode {
  const known = new Map<string, SpellingNode>();
  return (...key) => {
    const id = key.join();
    const found = known.get(id);
    if (found !== undefined) return found;
    const created = create(...key);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(id, created);
    return created;
  };
}

export const characterSpelling = remember(spellCharacter);
export const base64Spelling = remember(spellBase64);
export const foldedBase64Spelling = remember((mask: number, bits: number) =>
  spellFolded(base64Spelling(mask, bits)),
);
export const hexSpelling = remember((byte: number) => {
  const root = createNode();
  link(root, hex(byte, 2), END, true);
  return root;
});

/** What may stand between two bytes of a dump on one line: `73 6b`, `73:6b`, `0x73, 0x6b`. */
const BYTE_SEPARATORS = [" ", "  ", ":", "-", ",", ", "];
/** Most characters of the text column of a dump; that of `hexdump -C` has 18, and JSON escapes some. */
const MAX_COLUMN = 40;
/** Most characters of other bytes that may follow on the last line. */
const MAX_DUMP_REST = 50;
const MAX_OFFSET_DIGITS = 16;
const MIN_OFFSET_DIGITS = 4;
type Range = readonly [first: string, last: string];
const HEX_DIGITS: readonly Range[] = [
  ["0", "9"],
  ["a", "f"],
  ["A", "F"],
];
const PRINTABLE: readonly Range[] = [[" ", "~"]];
/** A backslash may begin an escaped line break. */
const NO_BACKSLASH: readonly Range[] = [
  [" ", "["],
  ["]", "~"],
];
const NO_BREAK_LETTER: readonly Range[] = [
  [" ", "m"],
  ["o", "q"],
  ["s", "~"],
];

function linkRanges(from: SpellingNode, ranges: readonly Range[], to: SpellingNode): void {
  for (const [first, last] of ranges) {
    from.edges.push({ code: first.charCodeAt(0), last: last.charCodeAt(0), to });
  }
}

/** Adds up to `most` of these characters; after each of them, and before the first, `exits` may follow. */
function linkAny(
  from: SpellingNode,
  ranges: readonly Range[],
  { least = 0, most }: { least?: number; most: number },
  exits: SpellingNode,
): void {
  let at = from;
  for (let count = 0; ; count++) {
    if (count >= least) at.edges.push(...exits.edges);
    if (count === most) return;
    const next = createNode();
    linkRanges(at, ranges, next);
    at = next;
  }
}

/** A byte of a dump that follows another one: `xxd`, `xxd -p`, `hexdump -C`, `od -tx1` and what programs print like them. */
export const foldedHexSpelling = remember((byte: number) => {
  const inner = hexSpelling(byte);
  const root = spellFolded(inner);
  const prefixed = createNode();
  prefixed.edges.push(...inner.edges);
  link(prefixed, "0x", inner);
  for (const separator of BYTE_SEPARATORS) link(root, separator, prefixed);
  // On the next line, behind its offset or blanks; the text column of this line stands between.
  const newLine = createNode();
  const behindOffset = createNode();
  for (const end of [" ", "  ", "   ", ":", ": "]) link(behindOffset, end, inner);
  linkAny(newLine, HEX_DIGITS, { least: MIN_OFFSET_DIGITS, most: MAX_OFFSET_DIGITS }, behindOffset);
  for (const blanks of [" ", "  ", "    ", "\t"]) link(newLine, blanks, inner);
  const lineBreak = createNode();
  linkLineBreak(lineBreak, newLine);
  root.edges.push(...lineBreak.edges);
  const column = createNode();
  link(root, "  ", column);
  linkAny(column, PRINTABLE, { most: MAX_COLUMN }, lineBreak);
  return root;
});

/** The rest of the line of a dump, whose text column shows the end of what its bytes spell. */
export const dumpTailSpelling = remember((_only: "tail") => {
  const root = createNode();
  const column = createNode();
  const toColumn = createNode();
  link(toColumn, "  ", column);
  linkAny(root, [...HEX_DIGITS, [" ", " "]], { most: MAX_DUMP_REST }, toColumn);
  let at = column;
  for (let count = 1; count <= MAX_COLUMN; count++) {
    const next = createNode();
    const escaped = createNode();
    link(at, "\\", escaped);
    for (const to of [next, END]) {
      linkRanges(at, NO_BACKSLASH, to);
      linkRanges(escaped, NO_BREAK_LETTER, to);
    }
    at = next;
  }
  return root;
});
