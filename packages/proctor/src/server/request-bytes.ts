// The body of a request that is a file, piece by piece. The code that stores it enforces its limit.
import { ProctorError } from "../core/errors.ts";

/** Throws INVALID_REQUEST when the body is cut off. */
export async function* requestBytes({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  try {
    for await (const chunk of body) yield chunk;
  } catch (cause) {
    throw new ProctorError("INVALID_REQUEST", "the body was cut off before its end", { cause });
  }
}
