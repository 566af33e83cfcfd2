// Paths of requests to a hub.
import { ProctorError } from "../core/errors.ts";

/** Returns a path whose values cannot break out of their segment. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((whole, part, index) => {
    const value = values[index - 1] ?? "";
    if (value === "" || value === "." || value === "..") {
      throw new ProctorError("INVALID_REQUEST", `"${value}" is no id and no name`);
    }
    return whole + encodeURIComponent(value) + part;
  });
}
