// What a run yielded, where its driver had only a text: that text, or the JSON that it is.
import { isJsonObject, type Json } from "./json.ts";
import { parseJson } from "./parse-json.ts";

/** Returns the data of a run's last structured artifact, as a value. Agents that only print leave `{output: <text>}`. */
export function outputValue(data: Json): Json {
  if (!isJsonObject(data) || typeof data["output"] !== "string" || Object.keys(data).length !== 1)
    return data;
  return jsonIn(data["output"]) ?? data["output"];
}

/** Returns undefined for a text that is not JSON. */
export function jsonIn(text: string): Json | undefined {
  if (!/^\s*[[{"\d-]|^\s*(?:true|false|null)\s*$/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
