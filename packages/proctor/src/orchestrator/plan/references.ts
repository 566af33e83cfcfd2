// References in the texts of a plan, and what takes their place: one pass, and what was inserted is never read again.
import { findByPath, type JsonPath } from "../../core/json-path.ts";
import { MAX_JSON_DEPTH } from "../../core/json-depth.ts";
import { jsonSize } from "../../core/json-size.ts";
import type { Json } from "../../core/json.ts";
import type { ParsedReference } from "./parse-reference.ts";
import { splitReferences } from "./split-references.ts";
import type { Values } from "./values.ts";

/** A reference with the path of its text in the value, `at`. */
export type Reference = ParsedReference & { at: readonly (string | number)[] };

export type Resolved = { value: Json } | { problem: string };

/** Characters that references may insert into one value, because an output of megabytes may be referred to a thousand times. */
const MAX_INSERTED_CHARS = 32 * 1024 * 1024;
const TOO_DEEP = `is nested more than ${MAX_JSON_DEPTH} levels deep`;

/** Returns all references in a value; `at` is the path of the value itself. */
export function referencesIn(value: Json, at: readonly (string | number)[] = []): Reference[] {
  const found: Reference[] = [];
  collect(value, [...at], found);
  return found;
}

/** Collects references. `at` is changed on the way down, and changed back. */
function collect(value: Json, at: (string | number)[], found: Reference[]): void {
  if (typeof value === "string") {
    if (!value.includes("${")) return;
    const place = [...at];
    for (const piece of splitReferences(value)) {
      if (typeof piece === "object") found.push({ ...piece, at: place });
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (at.length >= MAX_JSON_DEPTH) {
    found.push({ kind: "none", text: "the value", reason: `it ${TOO_DEEP}`, at: at.slice(0, 1) });
    return;
  }
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (inner === undefined) continue;
    at.push(key);
    collect(inner, at, found);
    at.pop();
  }
}

/** Resolves references: a text that is a single one becomes its value; among other words, texts are inserted as they are, the rest as JSON. */
export function resolveReferences(value: Json, values: Values): Resolved {
  const work: Work = { values, inserted: 0 };
  const resolved = resolve(value, 0, work);
  return work.problem === undefined ? { value: resolved } : { problem: work.problem };
}

interface Work {
  values: Values;
  inserted: number;
  /** The first problem, after which nothing more is looked up. */
  problem?: string;
}

function resolve(value: Json, depth: number, work: Work): Json {
  if (work.problem !== undefined) return null;
  if (typeof value === "string") return value.includes("${") ? resolveText(value, work) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) {
    work.problem = `the value ${TOO_DEEP}`;
    return null;
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, depth + 1, work));
  // Keys such as __proto__ become properties of the new object, as any other.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, resolve(inner, depth + 1, work)]],
    ),
  );
}

function resolveText(text: string, work: Work): Json {
  const pieces = splitReferences(text);
  const [first] = pieces;
  if (pieces.length === 1 && typeof first === "object") return insert(first, work, jsonSize);
  let whole = "";
  for (const piece of pieces) {
    if (typeof piece === "string") whole += piece;
    else whole += textOf(insert(piece, work, (value) => textOf(value).length));
    if (work.problem !== undefined) return null;
  }
  return whole;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function insert(reference: ParsedReference, work: Work, sizeOf: (value: Json) => number): Json {
  const found = lookUp(reference, work.values);
  if (!("value" in found)) {
    work.problem = found.problem;
    return null;
  }
  work.inserted += sizeOf(found.value);
  if (work.inserted > MAX_INSERTED_CHARS)
    work.problem = `${reference.text} makes it too large: references insert at most ${MAX_INSERTED_CHARS} characters`;
  return found.value;
}

/** The result of a lookup. `missing`: the reference is valid, and leads to nothing. */
export type Found = { value: Json } | { problem: string; missing: boolean };

export function lookUp(reference: ParsedReference, values: Values): Found {
  const missing = (why: string): Found => ({
    problem: `${reference.text} refers to nothing: ${why}`,
    missing: true,
  });
  switch (reference.kind) {
    case "task": {
      const output = values.outputOf(reference.task);
      if (output === undefined) return missing(`task "${reference.task}" has no output`);
      return follow(output, reference.path) ?? missing(`the output of "${reference.task}" has no such part`);
    }
    case "params":
      return follow(values.params, reference.path) ?? missing("no such parameter is given");
    case "item":
      if (values.item === undefined) return missing("only a task with `foreach` has items");
      return follow(values.item, reference.path) ?? missing("the item has no such part");
    case "index":
      return values.index === undefined
        ? missing("only a task with `foreach` has items")
        : { value: values.index };
    case "goal":
      return { value: values.goal };
    case "none":
      return { problem: `${reference.text} is no reference: ${reference.reason}`, missing: false };
    default:
      return reference satisfies never;
  }
}

function follow(root: Json, path: JsonPath): { value: Json } | undefined {
  const [value] = findByPath(root, path);
  return value === undefined ? undefined : { value };
}
