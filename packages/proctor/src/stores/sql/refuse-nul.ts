// NUL in a text column is an error in PostgreSQL and an early end in SQLite's reader. JSON escapes it; bare text cannot.
import { ProctorError } from "../../core/errors.ts";

export function refuseNul(what: string, text: string): void {
  if (text.includes("\0")) throw new ProctorError("INVALID_REQUEST", `${what} holds a NUL character`);
}
