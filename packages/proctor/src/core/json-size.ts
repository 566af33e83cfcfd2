// Roughly how many characters a JSON value has as text, without making the text.
import type { Json } from "./json.ts";

const SCALAR_CHARS = 8;
const ENTRY_CHARS = 4;

export function jsonSize(value: Json | undefined): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return SCALAR_CHARS;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += jsonSize(item) + 1;
    return size;
  }
  // JSON inherits nothing, and no list of entries is made.
  for (const key in value) size += key.length + ENTRY_CHARS + jsonSize(value[key]);
  return size;
}
