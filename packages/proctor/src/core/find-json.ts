// The JSON objects in what a model or an agent wrote: alone, in a code block, or with words before and after.
import { endOfObject } from "./end-of-object.ts";
import type { JsonObject } from "./json.ts";
import { parseObject } from "./parse-object.ts";

const MAX_CHARS = 200_000;
const MAX_TRIES = 200;
/** Some models think aloud before they answer. */
const THOUGHTS = /^\s*<think>[^]*?<\/think>/;

/** Returns the answer without what the model thought aloud before it. */
export function withoutThoughts(answer: string): string {
  return answer.replace(THOUGHTS, "");
}

/** Returns the outermost JSON objects, in order. */
export function findJson(answer: string): JsonObject[] {
  const text = withoutThoughts(answer).slice(0, MAX_CHARS);
  const found: JsonObject[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = text.indexOf("{", from);
    if (start === -1) break;
    const end = endOfObject(text, start);
    const object = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (object) found.push(object);
    from = end !== undefined && object ? end : start + 1;
  }
  return found;
}
