// Numbers in JSON text that a double does not hold: integers beyond ±(2^53 − 1) and what becomes infinite or zero. JSON.parse changes
// them silently, so they are looked for in the text. Fractions such as 0.1 are rounded as everybody expects.
import { ProctorError } from "./errors.ts";
import type { Violation } from "./event.ts";
import { endOfString } from "./json-depth.ts";

interface InexactNumber {
  /** Dotted path of the number; empty when it is the whole text. */
  path: string;
  /** The number as the text writes it. */
  source: string;
}

/**
 * Texts without a number that is long or has an exponent, which are nearly all, need no closer look. It stands where a value may begin:
 * the digits of ids and hashes do not count.
 */
const SUSPICIOUS = /(?:^|[[:,\s])-?(?:[0-9]{16}|[0-9]+(?:\.[0-9]{16}|(?:\.[0-9]+)?[eE]))/;
/** Most numbers of one text that are reported. */
const MAX_FOUND = 10;
const MAX_SHOWN_CHARS = 60;

interface Level {
  /** Start and end of the last key in the text; undefined for a list. */
  key: [start: number, end: number] | undefined;
  index: number;
}

/** Returns the inexact numbers of `text`, which must be valid JSON. */
export function findInexactNumbers(text: string): InexactNumber[] {
  if (!SUSPICIOUS.test(text)) return [];
  const found: InexactNumber[] = [];
  const levels: Level[] = [];
  for (let index = 0; index < text.length && found.length < MAX_FOUND; index++) {
    const character = text[index] ?? "";
    const level = levels.at(-1);
    if (character === '"') {
      const end = endOfString(text, index);
      // A string that is a value does no harm here: the next key takes its place.
      if (level?.key) level.key = [index, end];
      index = end;
    } else if (character === "{") levels.push({ key: [0, 0], index: 0 });
    else if (character === "[") levels.push({ key: undefined, index: 0 });
    else if (character === "}" || character === "]") levels.pop();
    else if (character === ",") {
      if (level) level.index += 1;
    } else if (isNumberStart(character)) {
      const end = endOfNumber(text, index);
      const source = text.slice(index, end);
      if (isInexact(source)) found.push({ path: pathOf(text, levels), source: shown(source) });
      index = end - 1;
    }
  }
  return found;
}

/** Throws INVALID_REQUEST for an inexact number from a client: the agent would receive another number. */
export function refuseInexactNumbers(text: string): void {
  const message = inexactProblem(text);
  if (message !== undefined) throw new ProctorError("INVALID_REQUEST", message);
}

/** Returns what is wrong with the first of them, and what to do; undefined when there is none. */
export function inexactProblem(text: string): string | undefined {
  const [first] = findInexactNumbers(text);
  return first && `${first.path === "" ? "the number" : first.path} ${tooLarge(first)}; send it as a string`;
}

/** Returns the inexact numbers in a text from an agent, as violations. */
export function inexactViolations(text: string): Violation[] {
  return findInexactNumbers(text).map((number) => ({
    rule: "json.number",
    message: `${number.path === "" ? "a number" : number.path} ${tooLarge(number)}; it was rounded`,
    ...(number.path !== "" && { where: number.path }),
  }));
}

function tooLarge({ source }: InexactNumber): string {
  return `is ${source}, which cannot be kept exactly`;
}

function isNumberStart(character: string): boolean {
  return character === "-" || (character >= "0" && character <= "9");
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && /[0-9.eE+-]/.test(text[end] ?? "")) end++;
  return end;
}

function isInexact(source: string): boolean {
  const value = Number(source);
  if (!/[.eE]/.test(source)) return !Number.isSafeInteger(value);
  if (!Number.isFinite(value)) return true;
  // The number is not zero, but too small for a double.
  return value === 0 && /[1-9]/.test(source.split(/[eE]/)[0] ?? "");
}

function shown(source: string): string {
  return source.length <= MAX_SHOWN_CHARS
    ? source
    : `${source.slice(0, MAX_SHOWN_CHARS)}… (${source.length} characters)`;
}

function pathOf(text: string, levels: readonly Level[]): string {
  return levels
    .map(({ key, index }) => (key ? String(JSON.parse(text.slice(key[0], key[1] + 1))) : String(index)))
    .join(".");
}
