// The JSON objects in an answer of a model: alone, in a code block, or with words before and after.
import { isTooDeep } from "../../core/json-depth.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";

const MAX_CHARS = 200_000;
const MAX_TRIES = 200;
/** Some models think aloud before they answer. */
const THOUGHTS = /^\s*<think>[^]*?<\/think>/;

/** The outermost JSON objects, in order. */
export function findJson(answer: string): JsonObject[] {
  const text = answer.replace(THOUGHTS, "").slice(0, MAX_CHARS);
  const found: JsonObject[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = text.indexOf("{", from);
    if (start === -1) break;
    const end = endOf(text, start);
    const object = end === -1 ? undefined : parse(text.slice(start, end));
    if (object) found.push(object);
    from = object ? end : start + 1;
  }
  return found;
}

/** The index after the brace that closes the one at `start`, or -1. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return index + 1;
  }
  return -1;
}

function parse(text: string): JsonObject | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
