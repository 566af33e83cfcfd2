// The first JSON object in a line that has other text in it, for agents that cannot keep their output clean.
import { endOfObject } from "../../core/end-of-object.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseObject } from "../../core/parse-object.ts";

/** Beginnings that are tried: each is read to the end of the line, which must not become expensive. */
const MAX_BEGINNINGS = 16;
const MAX_CHARS = 1024 * 1024;

export function firstObject(line: string): JsonObject | undefined {
  const text = line.slice(0, MAX_CHARS);
  let start = text.indexOf("{");
  for (let tried = 0; start !== -1 && tried < MAX_BEGINNINGS; tried++) {
    const end = endOfObject(text, start);
    const object = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (object) return object;
    start = text.indexOf("{", start + 1);
  }
  return undefined;
}
