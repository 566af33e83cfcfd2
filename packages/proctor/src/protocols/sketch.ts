// JSON that an agent sent, short enough for a message. Texts are whole or only counted: half a secret would not be recognised.
import { isJsonObject, type Json } from "../core/json.ts";

const MAX_TEXT_CHARS = 60;
const MAX_ENTRIES = 8;
const MAX_DEPTH = 3;

export function sketch(value: Json | undefined, depth = 0): string {
  if (typeof value === "string") {
    return value.length > MAX_TEXT_CHARS ? `"(${value.length} characters)"` : JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const size = isList ? value.length : Object.keys(value).length;
  if (size === 0) return `${open}${close}`;
  if (depth >= MAX_DEPTH) return `${open}…${close}`;
  const shown = entriesOf(value).map(([key, inner]) => `${key}${sketch(inner, depth + 1)}`);
  if (size > MAX_ENTRIES) shown.push(`… ${size - MAX_ENTRIES} more`);
  return `${open}${shown.join(", ")}${close}`;
}

function entriesOf(value: Json): (readonly [key: string, inner: Json | undefined])[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((inner) => ["", inner] as const);
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_ENTRIES)
    .map(([key, inner]) => [`${sketch(key)}: `, inner] as const);
}
