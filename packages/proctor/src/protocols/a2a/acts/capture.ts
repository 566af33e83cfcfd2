// Values of an answer that later steps use (ACTS, section 8.2). Of a stream a path leads to an event by its index, or else into the first event
// that has it. Pure.
import type { Json } from "../../../core/json.ts";
import { valueAt } from "./path.ts";

/** Returns the captured values, or the name and the path of the first that is not there. */
export function capture(
  wanted: Readonly<Record<string, string>>,
  response: Json,
): { values: Record<string, Json> } | { missing: string } {
  const values: Record<string, Json> = {};
  for (const [name, path] of Object.entries(wanted)) {
    const value = Array.isArray(response) ? inStream(response, path) : valueAt(response, path);
    if (value === undefined) return { missing: `${name}: there is nothing at ${path}` };
    values[name] = value;
  }
  return { values };
}

function inStream(events: readonly Json[], path: string): Json | undefined {
  const list = path.replace(/^events(?=\[)/, "");
  if (list.startsWith("[")) return valueAt([...events], list);
  for (const event of events) {
    const value = valueAt(event, path);
    if (value !== undefined) return value;
  }
  return undefined;
}
