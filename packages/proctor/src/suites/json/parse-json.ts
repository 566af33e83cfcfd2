// JSON from a text that may not be JSON.
import type { Json } from "../../core/json.ts";

/** Undefined when the text is not JSON. Nesting is not limited: ask `isTooDeep` first where the text is not ours. */
export function parseJson(text: string): Json | undefined {
  try {
    // What JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
