// The A2aError that a codec throws.
import { A2aError } from "../../../src/protocols/a2a/errors.ts";

export function caught(action: () => unknown): A2aError {
  try {
    action();
  } catch (error) {
    if (error instanceof A2aError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** What an error says of fields: `path: words`. */
export function fieldsOf(action: () => unknown): string[] {
  return caught(action).fields.map(({ field, description }) => `${field}: ${description}`);
}
