// Whether the input of a tool call is the expected one, in the five ways a suite may compare them.
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import { findByPath, parseJsonPath } from "../../core/json-path.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { missingFrom } from "../json/json-subset.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { textsIn } from "../json/texts-in.ts";

export const argumentMode = z.enum(["exact", "partial", "regex", "json_path", "ignore"]);

type ArgumentMode = z.output<typeof argumentMode>;

/** Compares the input of a call. Patterns may take long: call it within a CPU limit. */
export function argumentsFit(mode: ArgumentMode, expected: Json, found: Json): boolean {
  switch (mode) {
    case "ignore":
      return true;
    case "exact":
      return canonicalJson(expected) === canonicalJson(found);
    case "partial":
      return missingFrom(found, expected) === undefined;
    case "regex":
      return typeof expected === "string"
        ? matches(expected, found)
        : missingFrom(found, expected, matches) === undefined;
    case "json_path":
      return (
        isJsonObject(expected) && Object.entries(expected).every(([path, value]) => leads(found, path, value))
      );
    default:
      return mode satisfies never;
  }
}

/** Raises what is wrong with an expectation as an error of the suite. */
export function checkArguments(
  mode: ArgumentMode,
  expected: Json,
  context: z.RefinementCtx,
  path: PropertyKey[],
): void {
  try {
    if (mode === "regex") for (const pattern of textsIn(expected)) parsePattern(pattern);
    if (mode !== "json_path") return;
    if (!isJsonObject(expected)) throw new Error(`with "json_path", "input" is a mapping of paths to values`);
    for (const key of Object.keys(expected)) parseJsonPath(key);
  } catch (error) {
    addError(context, error, path);
  }
}

/** A text of the expectation is a pattern for the value at its place; other values are compared. */
function matches(expected: Json, found: Json): boolean {
  if (typeof expected !== "string") return canonicalJson(expected) === canonicalJson(found);
  return parsePattern(expected).test(typeof found === "string" ? found : JSON.stringify(found));
}

function leads(found: Json, path: string, expected: Json | undefined): boolean {
  const wanted = canonicalJson(expected ?? null);
  return findByPath(found, parseJsonPath(path)).some((node) => canonicalJson(node) === wanted);
}
