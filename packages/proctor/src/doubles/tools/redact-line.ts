// A JSON document with its secrets hidden that still is one, by a redactor that knows only text.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

export type Redact = (text: string) => string;

export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((entry) => redactJson(entry, redact));
  if (!isJsonObject(value)) return value;
  // Object.fromEntries defines keys: `__proto__` stays a key like any other.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]): [string, Json][] =>
      entry === undefined ? [] : [[redact(key), redactJson(entry, redact)]],
    ),
  );
}

/** Redacts a line of a file. Where a secret spans several values, so that the rest is not JSON, texts are dropped. */
export function redactLine(document: JsonObject, redact: Redact): string {
  const line = JSON.stringify(redactJson(document, redact));
  const again = redact(line);
  if (again === line || isJson(again)) return again;
  const kept = Object.entries(document).filter(([, value]) => typeof value === "number");
  const { tool = "", status = "" } = document;
  return JSON.stringify({
    ...Object.fromEntries(kept),
    tool: redactJson(tool, redact),
    status: redactJson(status, redact),
    input: "[redacted]",
    output: "[redacted]",
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
