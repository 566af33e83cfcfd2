// What was expected beside the actual value, made small enough to read: by words where both are one line, else by lines with
// some of what is around them.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { diffLines } from "./diff-lines.ts";
import { shorten } from "../../core/shorten.ts";

export type Difference =
  | { form: "words"; expected: Span[]; actual: Span[] }
  /** `…` stands for lines that are not shown. */
  | { form: "lines"; lines: { mark: Edit["mark"] | "…"; text: string }[] };

export interface Span {
  text: string;
  changed: boolean;
}

interface Edit {
  /** `-` stands only in what was expected, `+` only in the actual value. */
  mark: " " | "-" | "+";
  text: string;
}

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 300;
const MAX_WORDS = 400;
const SHOWN_LINES = 30;
const SHOWN_LINE = 300;
const AROUND = 2;
/** Characters kept at each end of a longer stretch without a difference. */
const KEPT_SAME = 30;

/** Undefined where the verdict compared nothing, or where no difference can be shown. */
export function differenceOf(details: JsonObject | undefined): Difference | undefined {
  const { expected, actual } = details ?? {};
  if (expected === undefined || actual === undefined) return undefined;
  const [before, after] = texts(expected, actual);
  if (before === after) return undefined;
  if (before.includes("\n") || after.includes("\n")) return byLines(before, after);
  return byWords(before, after);
}

/** Structures in a form in which only their differences differ: indented, keys in order. */
function texts(expected: Json, actual: Json): [string, string] {
  const structures = [structureOf(expected), structureOf(actual)] as const;
  if (structures[0] !== undefined && structures[1] !== undefined) {
    return [pretty(structures[0]), pretty(structures[1])];
  }
  if (typeof expected === "string" && typeof actual === "string") return [expected, actual];
  return [pretty(expected), pretty(actual)];
}

function structureOf(value: Json): Json | undefined {
  if (typeof value === "object" && value !== null) return value;
  if (typeof value !== "string" || value.length > MAX_CHARACTERS || !/^\s*[[{]/.test(value)) return undefined;
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

function pretty(value: Json): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner), 2);
  } catch {
    // Nested deeper than the stack.
    return "(too deep to be shown)";
  }
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byLines(before: string, after: string): Difference {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const edits = editScript(old.lines, fresh.lines);
  const near = edits.map((_, index) => isNear(edits, index));
  const lines: Extract<Difference, { form: "lines" }>["lines"] = [];
  for (const [index, { mark, text }] of edits.entries()) {
    if (lines.length >= SHOWN_LINES) {
      const more = edits.slice(index).filter((edit) => edit.mark !== " ").length;
      if (more > 0) lines.push({ mark: "…", text: `${more} more lines differ` });
      break;
    }
    if (near[index]) lines.push({ mark, text: shorten(text, SHOWN_LINE) });
    else if (lines.at(-1)?.mark !== "…") lines.push({ mark: "…", text: "" });
  }
  if (lines.at(-1)?.mark === "…" && lines.at(-1)?.text === "") lines.pop();
  if (old.cut || fresh.cut) lines.push({ mark: "…", text: "the rest was not compared: it is too long" });
  return { form: "lines", lines };
}

function editScript(before: readonly string[], after: readonly string[]): Edit[] {
  return diffLines(before, after).map(({ kind, text }) => ({ mark: MARKS[kind], text }));
}

function linesOf(text: string): { lines: string[]; cut: boolean } {
  const lines = text.slice(0, MAX_CHARACTERS).split("\n", MAX_LINES + 1);
  const cut = text.length > MAX_CHARACTERS || lines.length > MAX_LINES;
  return { lines: lines.slice(0, MAX_LINES), cut };
}

function isNear(edits: readonly Edit[], index: number): boolean {
  return edits.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ mark }) => mark !== " ");
}

function byWords(before: string, after: string): Difference {
  const edits = editScript(wordsOf(before), wordsOf(after));
  return { form: "words", expected: spans(edits, "+"), actual: spans(edits, "-") };
}

/** Words, blanks and single other characters. What is beyond the limit is one last word. */
function wordsOf(text: string): string[] {
  const words = text.slice(0, MAX_CHARACTERS).match(/\s+|[\p{L}\p{M}\p{N}_]+|[^]/gu) ?? [];
  const kept = words.slice(0, MAX_WORDS);
  const rest = text.slice(kept.join("").length);
  return rest === "" ? kept : [...kept, rest];
}

/** One side of the edits, without what only the other side has. */
function spans(edits: readonly Edit[], without: Edit["mark"]): Span[] {
  const joined: Span[] = [];
  for (const { mark, text } of edits) {
    if (mark === without) continue;
    const last = joined.at(-1);
    const changed = mark !== " ";
    if (last?.changed === changed) last.text += text;
    else joined.push({ text, changed });
  }
  return joined.map(({ text, changed }, index) => ({
    text: changed ? shorten(text, SHOWN_LINE) : elide(text, index === 0, index === joined.length - 1),
    changed,
  }));
}

/** What is far from a difference is left out: at the beginning, at the end, or between two. */
function elide(text: string, first: boolean, last: boolean): string {
  if (text.length <= 2 * KEPT_SAME) return text;
  const head = first ? "" : text.slice(0, KEPT_SAME);
  const tail = last ? "" : text.slice(-KEPT_SAME);
  return `${head}…${tail}`.toWellFormed();
}
