// How deeply a JSON value is nested, without recursion: for messages that did not come as text.
import { MAX_JSON_DEPTH } from "./json-depth.ts";

/** Returns for a value what core's `isTooDeep` returns for its text. */
export function isValueTooDeep(value: unknown, limit: number = MAX_JSON_DEPTH): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
