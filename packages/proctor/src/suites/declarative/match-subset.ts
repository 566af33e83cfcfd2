// Compares what came with what a declarative test expects of it: a mapping expects its own keys and lets others be, a list is compared
// entry by entry, and a key may end in `_exact`, `_contains`, `_not_contains` or `_matches_regex`.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import { shorten } from "../../core/shorten.ts";
import { matchesWhole, plainBreaks } from "./text-matchers.ts";

/** Stands for any value, as long as there is one. */
const ANYTHING = "*";
const SUFFIXES = ["_not_contains", "_contains", "_matches_regex", "_exact"] as const;
type Suffix = (typeof SUFFIXES)[number];

/** Returns the differences, one sentence each that begins with its path; none when everything is as expected. */
export function subsetProblems(actual: Json | undefined, expected: Json, path: string): string[] {
  if (expected === ANYTHING && actual !== undefined && actual !== null) return [];
  if (isJsonObject(expected)) {
    if (!isJsonObject(actual)) return [`${path} is ${show(actual)}, not a mapping`];
    return Object.entries(expected).flatMap(([key, value]) =>
      fieldProblems(actual, key, value ?? null, path),
    );
  }
  if (Array.isArray(expected)) return listProblems(actual, expected, path);
  const same =
    typeof actual === "string" && typeof expected === "string"
      ? plainBreaks(actual) === plainBreaks(expected)
      : actual === expected;
  return same ? [] : [`${path} is ${show(actual)}, not ${show(expected)}`];
}

function fieldProblems(actual: JsonObject, key: string, expected: Json, path: string): string[] {
  // Parts are written with `type` in this format, and with `kind` in A2A 0.3.
  if (key === "type" && actual["type"] === undefined && actual["kind"] !== undefined)
    return subsetProblems(actual["kind"], expected, `${path}.kind`);
  const suffix = SUFFIXES.find((one) => key.endsWith(one) && key.length > one.length);
  if (suffix === undefined || Object.hasOwn(actual, key))
    return subsetProblems(actual[key], expected, `${path}.${key}`);
  const field = key.slice(0, -suffix.length);
  return suffixProblems(actual[field], suffix, expected, `${path}.${field}`);
}

function suffixProblems(actual: Json | undefined, suffix: Suffix, expected: Json, path: string): string[] {
  if (suffix === "_exact" || (isJsonObject(expected) && suffix === "_contains"))
    return subsetProblems(actual, expected, path);
  const text = typeof actual === "string" ? actual : actual === undefined ? "" : JSON.stringify(actual);
  const wanted = (Array.isArray(expected) ? expected : [expected]).map((one) =>
    typeof one === "string" ? one : JSON.stringify(one),
  );
  if (suffix === "_matches_regex")
    return wanted.flatMap((one) =>
      matchesWhole(text, one) ? [] : [`${path} is ${show(actual)}, which does not match /${one}/`],
    );
  const unwanted = suffix === "_not_contains";
  return wanted
    .filter((one) => plainBreaks(text).includes(plainBreaks(one)) === unwanted)
    .map(
      (one) =>
        `${path} is ${show(actual)}, which ${unwanted ? "contains" : "does not contain"} ${quote(one)}`,
    );
}

function listProblems(actual: Json | undefined, expected: readonly Json[], path: string): string[] {
  if (!Array.isArray(actual)) return [`${path} is ${show(actual)}, not a list`];
  if (actual.length < expected.length)
    return [`${path} has ${actual.length} entries, and ${expected.length} are expected`];
  return expected.flatMap((entry, index) => subsetProblems(actual[index], entry, `${path}[${index}]`));
}

function show(value: Json | undefined): string {
  return value === undefined ? "missing" : shorten(JSON.stringify(value), 200);
}
