// Yields lines as they arrive, however the bytes are cut. The end of the input ends the last one.
import { RequestError } from "./errors.ts";

/** Longest line in bytes that is accepted. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LF = 10;

export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > MAX_LINE_BYTES) throw new RequestError(`the request is larger than ${MAX_LINE_BYTES} bytes`);
    pieces.push(piece);
  };
  const takeLine = (): string => {
    const line = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      keep(bytes.subarray(start, end));
      start = end + 1;
      yield takeLine();
    }
    if (start < bytes.length) keep(bytes.subarray(start));
  }
  if (size > 0) yield takeLine();
}
