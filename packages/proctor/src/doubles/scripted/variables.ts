// `{{name}}` in the texts of a script, replaced by what the message and the rule that it matched have.
import type { Json, JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";

/** Variables of every script, in addition to the groups of its regular expression. */
export const VARIABLES = ["text", "messageId", "taskId", "contextId", "testCaseId", "turn", "now"] as const;
export type Values = Readonly<Record<string, string>>;

const REFERENCE = /\{\{\s*([\w.]{1,100})\s*\}\}/g;

/** Replaces variables; an unknown name stays as it is written. */
export function fillVariables(value: JsonObject, values: Values): JsonObject {
  // Filling keeps an object an object.
  return fill(value, values) as JsonObject;
}

function fill(value: Json, values: Values): Json {
  if (typeof value === "string") {
    if (!value.includes("{{")) return value;
    return value.replaceAll(REFERENCE, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isJsonObject(value)) return value;
  const filled: JsonObject = {};
  for (const [key, item] of Object.entries(value))
    filled[key] = item === undefined ? item : fill(item, values);
  return filled;
}

/** Returns the names of the variables in a value. */
export function namesIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? "";
  return [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);
}
