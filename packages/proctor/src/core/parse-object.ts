// A JSON object out of text that may be anything.
import { isJsonObject, type JsonObject } from "./json.ts";
import { isTooDeep } from "./json-depth.ts";

/** Returns undefined for anything that is not a JSON object, or is nested too deeply to look at. */
export function parseObject(text: string): JsonObject | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The engine's message quotes the text, which may hold secrets.
    return undefined;
  }
}
