// JSON of a stranger: an object that is not too deep, or nothing.
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { isTooDeep } from "../core/json-depth.ts";

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
