// Reads the body of a request up to a limit, without trusting the size that it declares.
import { ProctorError } from "../../core/errors.ts";
import { collectBytes, limitedBytes, TooLarge } from "./limited-bytes.ts";

export interface ReadBodyOptions {
  limitBytes: number;
  /** The signal ends the reading; its reason is thrown. */
  signal?: AbortSignal;
  /** Called with the size of each piece that has to be kept in memory. An error that it throws is passed on. */
  onBytes?: (count: number) => void;
}

/** Reads the body. Throws PAYLOAD_TOO_LARGE, INVALID_REQUEST for a body that is cut off, or the signal's reason. */
export async function readBody(request: Request, options: ReadBodyOptions): Promise<Uint8Array> {
  const { limitBytes, signal, onBytes } = options;
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limitBytes) throw tooLarge(limitBytes);
  let refused: { because: unknown } | undefined;
  const count = (bytes: number): void => {
    try {
      onBytes?.(bytes);
    } catch (because) {
      refused = { because };
      throw because;
    }
  };
  try {
    // With a length, Node itself stops at it, and the adapter reads without building a web stream.
    if (declared !== null && signal === undefined && onBytes === undefined) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.byteLength <= limitBytes) return bytes;
      throw tooLarge(limitBytes);
    }
    return await collectBytes(limitedBytes(request.body, limitBytes, signal), count);
  } catch (cause) {
    signal?.throwIfAborted();
    if (refused !== undefined) throw refused.because;
    if (ProctorError.is(cause)) throw cause;
    if (cause instanceof TooLarge) throw tooLarge(limitBytes);
    throw new ProctorError("INVALID_REQUEST", "the body was cut off before its end", { cause });
  }
}

function tooLarge(limitBytes: number): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the body is larger than ${limitBytes} bytes`);
}
