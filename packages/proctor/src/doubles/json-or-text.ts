// The bodies of requests that doubles keep, as tests look at them.
import type { Json } from "../core/json.ts";

/** JSON, or the text itself where it is none; null when there is no text. */
export function jsonOrText(text: string): Json {
  if (text === "") return null;
  try {
    // JSON.parse returns JSON.
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
