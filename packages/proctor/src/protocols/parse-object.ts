// A JSON object out of text that may be anything.
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { isTooDeep } from "../core/json-depth.ts";

/** Undefined for anything that is not a JSON object, or nested too deeply to look at. */
export function parseObject(text: string): JsonObject | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
