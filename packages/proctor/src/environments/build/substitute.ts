// Variables, quotes and escapes in the words of a Dockerfile, as Docker reads them.

export type Lookup = (name: string) => string | undefined;

/** A word that cannot be read; the caller knows the line. */
export class BadWord extends Error {}

/** Replaces variables, removes quotes and escapes. */
export function substitute(text: string, lookup: Lookup, escape = "\\"): string {
  return readUntil(text, 0, "", lookup, escape).value;
}

/** Splits at blanks outside of quotes; the words are still as written. */
export function splitWords(text: string, escape = "\\"): string[] {
  const words: string[] = [];
  let word = "";
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === escape && quote !== "'" && at + 1 < text.length) {
      word += character + text.charAt(at + 1);
      at += 1;
    } else if (quote === "" && /\s/u.test(character)) {
      if (word !== "") words.push(word);
      word = "";
    } else {
      if (quote === "" && (character === '"' || character === "'")) quote = character;
      else if (character === quote) quote = "";
      word += character;
    }
  }
  if (quote !== "") throw new BadWord(`a quote ${quote} is never closed`);
  return word === "" ? words : [...words, word];
}

interface Read {
  value: string;
  /** Position at which reading ended: the requested character, or the end of the text. */
  at: number;
}

function readUntil(text: string, start: number, end: string, lookup: Lookup, escape: string): Read {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === end) return { value, at };
    if (character === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) throw new BadWord("a quote ' is never closed");
      value += text.slice(at + 1, close);
      at = close + 1;
    } else if (character === '"') {
      const read = readQuoted(text, at + 1, lookup, escape);
      value += read.value;
      at = read.at + 1;
    } else if (character === escape) {
      value += text.charAt(at + 1);
      at += 2;
    } else if (character === "$") {
      const read = readVariable(text, at, lookup, escape);
      value += read.value;
      at = read.at;
    } else {
      value += character;
      at += 1;
    }
  }
  if (end !== "") throw new BadWord(`${end} is missing after a variable`);
  return { value, at };
}

function readQuoted(text: string, start: number, lookup: Lookup, escape: string): Read {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return { value, at };
    if (character === "$") {
      const read = readVariable(text, at, lookup, escape);
      value += read.value;
      at = read.at;
    } else if (character === escape && ['"', "$", escape].includes(text.charAt(at + 1))) {
      value += text.charAt(at + 1);
      at += 2;
    } else {
      value += character;
      at += 1;
    }
  }
  throw new BadWord('a quote " is never closed');
}

/** Reads a variable; `at` is the position of the dollar sign. */
function readVariable(text: string, at: number, lookup: Lookup, escape: string): Read {
  const plain = /^\$(?:([A-Za-z_]\w*)|([0-9@*#?!$-]))/u.exec(text.slice(at));
  if (plain)
    return { value: plain[1] === undefined ? "" : (lookup(plain[1]) ?? ""), at: at + plain[0].length };
  const braced = /^\$\{([A-Za-z_]\w*)(\}|:?[-+?])?/u.exec(text.slice(at));
  if (!braced) {
    if (text.startsWith("${", at)) throw new BadWord("${ begins no variable");
    return { value: "$", at: at + 1 };
  }
  const [whole, name = "", operator] = braced;
  const next = at + whole.length;
  if (operator === undefined)
    throw new BadWord(`\${${name}${text.charAt(next)}…} is a form of variable that is not supported`);
  if (operator === "}") return { value: lookup(name) ?? "", at: next };
  const word = readUntil(text, next, "}", lookup, escape);
  const found = lookup(name);
  const is = operator.startsWith(":") ? found !== undefined && found !== "" : found !== undefined;
  const after = word.at + 1;
  if (operator.endsWith("-")) return { value: is ? (found ?? "") : word.value, at: after };
  if (operator.endsWith("+")) return { value: is ? word.value : "", at: after };
  if (!is) throw new BadWord(`${name} is not set: ${word.value || "it is needed"}`);
  return { value: found ?? "", at: after };
}
