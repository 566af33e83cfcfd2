// The output of a program: the last JSON document that it printed, whatever it printed before.
import type { Json } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";

/** Number of places at which a document of several lines may begin that are tried, from the end backwards. */
const MAX_BEGINNINGS = 50;

/** Returns undefined when the output holds no JSON document. */
export function lastJson(printed: string): Json | undefined {
  const text = printed.trimEnd();
  const whole = tryJson(text);
  if (whole !== undefined) return whole;
  const lines = text.split("\n");
  const last = tryJson(lines.at(-1) ?? "");
  if (last !== undefined) return last;
  // A document of several lines begins where a line does, with a bracket.
  const beginnings = [...text.matchAll(/^[[{]/gm)].slice(-MAX_BEGINNINGS);
  for (const { index } of beginnings.toReversed()) {
    const value = tryJson(text.slice(index));
    if (value !== undefined) return value;
  }
  return undefined;
}

function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
