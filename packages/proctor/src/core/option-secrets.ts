// Secrets among the options of an agent. Headers are the place for secrets; but some endpoints want a key in the body or the query,
// so a text whose name says that it is one is treated like a header's value.
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

const SECRET_NAME =
  /(?:^|[-_.])(?:password|passwd|secret|token|credentials?|authorization|(?:api|access|private)[-_]?key)$|apikey$/i;
/** A placeholder that a driver fills in is not a secret: `{conversation_id}`. */
const PLACEHOLDER = /^\{[^{}]*\}$/;

/** Returns options as they may be written down; the same object when they hold no secret. */
export function maskOptions(options: JsonObject, mask: string): JsonObject {
  return secretsOfOptions(options).length === 0 ? options : masked(options, mask);
}

/** Returns every text under a name that says it is a secret. */
export function secretsOfOptions(options: Json | undefined): { name: string; value: string }[] {
  if (Array.isArray(options)) return options.flatMap(secretsOfOptions);
  if (!isJsonObject(options)) return [];
  return Object.entries(options).flatMap(([name, value]) =>
    isSecret(name, value) ? [{ name, value }] : secretsOfOptions(value),
  );
}

function masked(value: JsonObject, mask: string): JsonObject {
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    isSecret(name, inner) ? mask : maskedValue(inner, mask),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function maskedValue(value: Json | undefined, mask: string): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, mask) ?? null);
  return isJsonObject(value) ? masked(value, mask) : value;
}

function isSecret(name: string, value: Json | undefined): value is string {
  return typeof value === "string" && value !== "" && SECRET_NAME.test(name) && !PLACEHOLDER.test(value);
}
