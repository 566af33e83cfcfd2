// The texts inside a JSON value, at any depth.
import type { Json } from "../../core/json.ts";

/** Not recursive, because data of agents may be nested deeply. */
export function textsIn(value: Json): string[] {
  const texts: string[] = [];
  const waiting: (Json | undefined)[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null)
      for (const inner of Object.values(next)) waiting.push(inner);
  }
  return texts;
}
