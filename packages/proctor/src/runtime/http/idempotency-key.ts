// `Idempotency-Key`: a client that repeats a request with the same key gets the first answer again, and nothing is done twice.
import { ProctorError } from "../../core/errors.ts";

export const MAX_KEY_CHARS = 255;

/** Returns the key; undefined when the request has none. Throws INVALID_REQUEST. */
export function readIdempotencyKey({ headers }: Request): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key !== "" && key.length <= MAX_KEY_CHARS) return key;
  const path = "Idempotency-Key";
  const message = `${path} must have 1 to ${MAX_KEY_CHARS} characters`;
  throw new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}

/** Returns the header's entry in the description of a route that creates `what`. */
export function idempotencyHeader(what: string): Record<string, string> {
  return {
    "Idempotency-Key": `1 to ${MAX_KEY_CHARS} characters: the same key with the same body answers with the same ${what}.`,
  };
}
