// How one character of a secret may be spelled in a trace: each spelling is a path from a node to END. A secret is a row of
// such characters, so every mixture of escapes is found without listing them. Leaves rows to redact-patterns.ts.

export interface Edge {
  readonly code: number;
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

/** Form encoding, terminals (which send CR LF for a line feed) and HTML. */
const OTHER_SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  " ": ["+"],
  "\n": ["\r\n"],
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;", "&#34;", "&#x22;"],
  "'": ["&apos;", "&#39;", "&#x27;"],
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
  return root;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

/** The same, possibly on a new line: `base64` and `xxd -p` fold what they print. */
function spellFolded(inner: SpellingNode): SpellingNode {
  const root = createNode();
  root.edges.push(...inner.edges);
  link(root, "\n", inner);
  link(root, "\r\n", inner);
  linkEscape(root, "n", "", inner);
  const afterReturn = createNode();
  linkEscape(root, "r", "", afterReturn);
  linkEscape(afterReturn, "n", "", inner);
  return root;
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
export const foldedHexSpelling = remember((byte: number) => spellFolded(hexSpelling(byte)));
