// Paths of ACTS: `task.artifacts[0].parts[*].text`, or `[0].id` into a list. Pure.
import type { Json } from "../../../core/json.ts";
import { findByPath, parseJsonPath } from "../../../core/json-path.ts";

/** Throws an Error that names what cannot be read. */
export function parsePath(text: string): ReturnType<typeof parseJsonPath> {
  const path = parseJsonPath(text.startsWith("[") ? `$${text}` : `$.${text}`);
  // ACTS has neither `..` nor indexes from the end.
  if (path.some((segment) => segment.deep || (segment.kind === "index" && segment.index < 0)))
    throw new Error(`the path "${text}" has no meaning in ACTS`);
  return path;
}

export function hasWildcard(text: string): boolean {
  return parsePath(text).some(({ kind }) => kind === "all");
}

/** Returns all that the path leads to, wildcards included. */
export function valuesAt(root: Json, path: string): Json[] {
  return findByPath(root, parsePath(path));
}

export function valueAt(root: Json, path: string): Json | undefined {
  return valuesAt(root, path)[0];
}
