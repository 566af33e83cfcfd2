// The condition of a step that is repeated: `status.state == X`, `!=`, or `in [X, Y]` (ACTS, section 9.1). Pure.
import type { Json } from "../../../core/json.ts";
import { parsePath, valueAt } from "./path.ts";

export interface Until {
  path: string;
  /** True where the value must not be one of those. */
  isNegated: boolean;
  values: readonly string[];
}

const FORM = /^\s*(\S+?)\s*(==|!=|\sin\s)\s*(.+?)\s*$/s;

/** Throws an Error that names what cannot be read. */
export function parseUntil(text: string): Until {
  const [, path, operator = "", right = ""] = FORM.exec(text) ?? [];
  if (path === undefined)
    throw new Error("a condition is `path == value`, `path != value` or `path in [a, b]`");
  parsePath(path);
  const isList = operator.trim() === "in";
  const [, inside] = /^\[(.*)\]$/s.exec(right) ?? [];
  if (isList && inside === undefined) throw new Error("what stands after `in` is a list: [a, b]");
  const values = (isList ? (inside ?? "").split(",") : [right]).map(unquoted);
  return { path, isNegated: operator === "!=", values };
}

function unquoted(word: string): string {
  return word.trim().replace(/^(['"])(.*)\1$/s, "$2");
}

export function holds({ path, isNegated, values }: Until, answer: Json): boolean {
  const value = valueAt(answer, path);
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return values.includes(text) !== isNegated;
}
