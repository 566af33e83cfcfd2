// Bytes of a file, no more than may be kept: a piece beyond the limit ends the reading.
import { ProctorError } from "./errors.ts";

/** Throws a PAYLOAD_TOO_LARGE that calls the bytes `what`. */
export async function* atMost(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  what = "file",
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes, what);
    yield chunk;
  }
}

export function tooLarge(maxBytes: number, what = "file"): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the ${what} is larger than ${maxBytes} bytes`, {
    details: { max_bytes: maxBytes },
  });
}
