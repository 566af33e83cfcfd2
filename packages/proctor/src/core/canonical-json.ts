// One text for each JSON value, whatever the order of its keys: equal values have equal texts.
import { isJsonObject, type Json } from "./json.ts";

export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value).sort();
  return `{${entries.flatMap((key) => entryOf(key, value[key])).join(",")}}`;
}

function entryOf(key: string, value: Json | undefined): string[] {
  return value === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(value)}`];
}
