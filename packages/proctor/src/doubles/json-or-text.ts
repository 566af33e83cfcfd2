// The bodies of requests that doubles keep, as tests look at them.
import type { Json } from "../core/json.ts";

/** Returns a text as parsed JSON, or as it is where it is not JSON; null when it is empty. */
export function jsonOrText(text: string): Json {
  if (text === "") return null;
  try {
    // JSON.parse returns JSON.
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
