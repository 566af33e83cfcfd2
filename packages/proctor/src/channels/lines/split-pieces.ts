// A stream of bytes as the text that it is, piece by piece as it comes. Only a character that a chunk cuts in two waits for its rest.
import { wholeCharacters } from "../../core/whole-characters.ts";
import { asBuffer, decodeText } from "./decode-text.ts";
import type { Line, LineSplitter } from "./split-lines.ts";

export function createPieceSplitter(): LineSplitter {
  let cut = Buffer.alloc(0);

  function pieces(bytes: Buffer): Line[] {
    return bytes.length === 0 ? [] : [{ kind: "line", terminated: false, ...decodeText(bytes) }];
  }

  return {
    push(chunk) {
      const bytes = cut.length === 0 ? asBuffer(chunk) : Buffer.concat([cut, chunk]);
      const whole = wholeCharacters(bytes);
      cut = Buffer.from(bytes.subarray(whole));
      return pieces(bytes.subarray(0, whole));
    },
    end: () => pieces(cut),
  };
}
