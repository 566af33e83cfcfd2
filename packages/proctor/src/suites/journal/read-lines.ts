// The lines of a file, one after the other, with their places: a file of any size, in little memory.
import { open } from "node:fs/promises";

interface FileLine {
  /** Offset of the first byte of the line. */
  offset: number;
  bytes: Uint8Array;
  /** False for a last line that was cut off before its end. */
  whole: boolean;
}

const CHUNK = 1024 * 1024;
const NEWLINE = 10;

export async function* readLines(file: string): AsyncGenerator<FileLine> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(CHUNK);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK);
      if (bytesRead === 0) break;
      const text = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, from)) {
        yield { offset: offset + from, bytes: text.subarray(from, end), whole: true };
        from = end + 1;
      }
      rest = text.subarray(from);
      offset += from;
    }
    if (rest.length > 0) yield { offset, bytes: rest, whole: false };
  } finally {
    await handle.close();
  }
}
