// Decides whether a rule of a mock applies to an input. What is wrong with a matcher is found when it is compiled.
import { findByPath, parseJsonPath } from "../../core/json-path.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Matcher } from "../../core/tools.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { compilePattern } from "./guarded-pattern.ts";

type MatchInput = (input: Json) => boolean;

export function compileMatcher(matcher: Matcher | undefined): MatchInput {
  if (matcher === undefined) return () => true;
  const { type, field, pattern } = matcher;
  switch (type) {
    case "any":
      return () => true;
    case "exact": {
      const wanted = canonicalJson(pattern ?? null);
      return (input) => valuesAt(input, field).some((value) => canonicalJson(value) === wanted);
    }
    case "contains": {
      const wanted = textOf(pattern ?? "");
      return (input) => valuesAt(input, field).some((value) => textOf(value).includes(wanted));
    }
    case "regex": {
      const test = compilePattern(textOf(pattern ?? ""));
      return (input) => valuesAt(input, field).some((value) => test(textOf(value)));
    }
    case "json_path": {
      const path = parseJsonPath(field ?? "$");
      const wanted = pattern === undefined ? undefined : canonicalJson(pattern);
      return (input) =>
        findByPath(input, path).some((node) => wanted === undefined || canonicalJson(node) === wanted);
    }
    default:
      return type satisfies never;
  }
}

/** Returns the whole input, or the value at the dotted path, if there is one. A key that contains dots itself is tried first. */
function valuesAt(input: Json, field: string | undefined): Json[] {
  if (field === undefined) return [input];
  if (isJsonObject(input) && Object.hasOwn(input, field)) return valuesOf(input[field]);
  let node: Json | undefined = input;
  for (const step of field.split(".")) {
    if (Array.isArray(node)) node = /^\d{1,9}$/.test(step) ? node[Number(step)] : undefined;
    else node = isJsonObject(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  }
  return valuesOf(node);
}

function valuesOf(value: Json | undefined): Json[] {
  return value === undefined ? [] : [value];
}

/** Returns a text as it is, anything else as JSON. */
function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
