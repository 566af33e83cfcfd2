// One text for each JSON value, whatever the order of its keys: equal values have equal texts.
import { isJsonObject, type Json } from "./json.ts";

export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  let entries = "";
  for (const key of Object.keys(value).sort()) {
    const entry = value[key];
    if (entry === undefined) continue;
    entries += `${entries === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(entry)}`;
  }
  return `{${entries}}`;
}
