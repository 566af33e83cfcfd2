// Whether a stream of bytes is text, piece by piece.
import { isUtf8 } from "node:buffer";
import { wholeCharacters } from "../../core/whole-characters.ts";

/** Returns false for a piece that is not UTF-8. Characters that are cut by the end of a piece are checked with the next. */
export function createTextCheck(): (chunk: Buffer) => boolean {
  let cut = Buffer.alloc(0);
  return (chunk) => {
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
    const whole = wholeCharacters(bytes);
    cut = Buffer.from(bytes.subarray(whole));
    return isUtf8(bytes.subarray(0, whole));
  };
}
