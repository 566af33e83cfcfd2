// Keystrokes of the legacy format as the bytes that a terminal sends: tmux's names of keys, `[Ctrl-C]` and its like, and text as it is.

const ESCAPE = "\u001b";

/** The bytes that an xterm sends for each key. */
const KEYS: Record<string, string> = {
  enter: "\r",
  return: "\r",
  kpenter: "\r",
  escape: ESCAPE,
  esc: ESCAPE,
  tab: "\t",
  btab: `${ESCAPE}[Z`,
  space: " ",
  bspace: "\u007f",
  backspace: "\u007f",
  up: `${ESCAPE}[A`,
  down: `${ESCAPE}[B`,
  right: `${ESCAPE}[C`,
  left: `${ESCAPE}[D`,
  home: `${ESCAPE}[H`,
  end: `${ESCAPE}[F`,
  ic: `${ESCAPE}[2~`,
  insert: `${ESCAPE}[2~`,
  dc: `${ESCAPE}[3~`,
  delete: `${ESCAPE}[3~`,
  ppage: `${ESCAPE}[5~`,
  pageup: `${ESCAPE}[5~`,
  pgup: `${ESCAPE}[5~`,
  npage: `${ESCAPE}[6~`,
  pagedown: `${ESCAPE}[6~`,
  pgdn: `${ESCAPE}[6~`,
  f1: `${ESCAPE}OP`,
  f2: `${ESCAPE}OQ`,
  f3: `${ESCAPE}OR`,
  f4: `${ESCAPE}OS`,
  f5: `${ESCAPE}[15~`,
  f6: `${ESCAPE}[17~`,
  f7: `${ESCAPE}[18~`,
  f8: `${ESCAPE}[19~`,
  f9: `${ESCAPE}[20~`,
  f10: `${ESCAPE}[21~`,
  f11: `${ESCAPE}[23~`,
  f12: `${ESCAPE}[24~`,
};

/** A word that tmux takes for a key when it stands alone. A word in lower case is text. */
const TMUX_NAME = /^(?:(?:[CMS]-)+(?:[^\s]|[A-Z][A-Za-z]+\d*)|\^[^\s]|[A-Z][A-Za-z]*\d{0,2})$/;
/** Characters of the longest key name; an agent may type megabytes, which no pattern that repeats a group survives. */
const MAX_NAME_CHARS = 64;
const BRACKETED = /\[((?:(?:ctrl|control|alt|meta|shift)[-+ ]){0,8}(?:[a-z]+\d*|.)|\^.)\]/giu;
const BRACKETED_OR_BLANK = /\[[^\][\s]+\]|\s+/g;
const CONTROL_BRACKETED = /\[(?:(?:ctrl|control)[-+ ]|\^)([a-z@[\\\]^_])\]/gi;

export function encodeKeys(keystrokes: string): string {
  const words = keystrokes.trim().split(/\s+/);
  const keys = words.map(tmuxKey);
  if (keys.every((key) => key !== undefined) && !keystrokes.includes("\n")) return keys.join("");
  if (keystrokes.includes("[") && keystrokes.replaceAll(BRACKETED_OR_BLANK, "") === "") {
    const named = Array.from(keystrokes.matchAll(BRACKETED), ([, name = ""]) => bracketedKey(name));
    if (named.length > 0 && named.every((key) => key !== undefined)) return named.join("");
  }
  const typed = keystrokes.replaceAll(CONTROL_BRACKETED, (_all, letter: string) => control(letter) ?? "");
  // What the key Enter sends; a terminal turns it into a line feed where a program expects one.
  return typed.replaceAll(/\r?\n/g, "\r");
}

function tmuxKey(word: string): string | undefined {
  if (word.length > MAX_NAME_CHARS || !TMUX_NAME.test(word)) return undefined;
  if (word.startsWith("^") && word.length === 2) return control(word.slice(1));
  const parts = /^((?:[CMS]-)*)(.+)$/su.exec(word);
  if (parts === null) return undefined;
  const [, modifiers = "", key = ""] = parts;
  const single = Array.from(key).length === 1;
  // A single letter without a modifier is that letter, and not a key's name.
  if (single && modifiers === "") return undefined;
  return withModifiers(single ? key : KEYS[key.toLowerCase()], modifiers);
}

function bracketedKey(name: string): string | undefined {
  if (name.startsWith("^") && name.length === 2) return control(name.slice(1));
  const parts = name.split(/[-+ ]/);
  const key = parts.pop() ?? "";
  const modifiers = parts.map((word) => MODIFIERS[word.toLowerCase()] ?? "").join("");
  const plain = Array.from(key).length === 1 ? (modifiers === "" ? undefined : key) : KEYS[key.toLowerCase()];
  return withModifiers(plain, modifiers);
}

const MODIFIERS: Record<string, string> = { ctrl: "C-", control: "C-", alt: "M-", meta: "M-", shift: "S-" };

function withModifiers(key: string | undefined, modifiers: string): string | undefined {
  if (key === undefined) return undefined;
  let bytes: string | undefined = key;
  if (modifiers.includes("S-")) bytes = bytes === "\t" ? `${ESCAPE}[Z` : shifted(bytes, modifiers);
  else if (modifiers.includes("C-")) bytes = control(bytes) ?? shifted(bytes, modifiers);
  if (bytes === undefined) return undefined;
  return modifiers.includes("M-") && !bytes.includes(";") ? ESCAPE + bytes : bytes;
}

/** Cursor keys carry their modifiers as a number: `ESC [ 1 ; 5 A` is Ctrl-Up. */
function shifted(bytes: string, modifiers: string): string | undefined {
  if (Array.from(bytes).length === 1 && bytes !== ESCAPE) return bytes.toUpperCase();
  // oxlint-disable-next-line no-control-regex
  const [, letter] = /^\u001b\[([A-FH])$/.exec(bytes) ?? [];
  if (letter === undefined) return bytes;
  const sum =
    1 +
    (modifiers.includes("S-") ? 1 : 0) +
    (modifiers.includes("M-") ? 2 : 0) +
    (modifiers.includes("C-") ? 4 : 0);
  return `${ESCAPE}[1;${sum}${letter}`;
}

/** Returns undefined where there is no such control character. */
function control(key: string): string | undefined {
  if (key === " ") return "\0";
  if (key === "?") return "\u007f";
  const code = key.toUpperCase().charCodeAt(0);
  return key.length === 1 && code >= 64 && code <= 95 ? String.fromCharCode(code - 64) : undefined;
}
