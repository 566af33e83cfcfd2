// Takes an engine's one stream apart into standard output and error. Each frame has eight bytes before it: the stream's number, three
// zeros, the length. Pieces go on as they come, whatever the length of their frame; where one reader waits, the engine waits.
import type { Readable } from "node:stream";
import type { Outlet } from "./outlet.ts";

const HEADER_BYTES = 8;
const STDOUT = 1;
/** Highest number of a stream: 2 is standard error, 3 messages of the engine itself. */
const LAST_STREAM = 3;

/** Resolves when the stream has ended for any reason. An invalid format is reported on stderr. */
export function demultiplex(
  source: Readable,
  stdout: Pick<Outlet, "push" | "ready">,
  stderr: Outlet,
): Promise<void> {
  const header = Buffer.alloc(HEADER_BYTES);
  let filled = 0;
  let left = 0;
  let sink: Pick<Outlet, "push" | "ready"> = stdout;

  function take(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const count = Math.min(HEADER_BYTES - filled, chunk.length - at);
        chunk.copy(header, filled, at, at + count);
        filled += count;
        at += count;
        if (filled < HEADER_BYTES) break;
        filled = 0;
        if (!plausible(header)) return false;
        sink = header[0]! <= STDOUT ? stdout : stderr;
        left = header.readUInt32BE(4);
        continue;
      }
      const piece = chunk.subarray(at, at + left);
      sink.push(piece);
      at += piece.length;
      left -= piece.length;
    }
    return true;
  }

  return new Promise((resolve) => {
    source.on("data", (chunk: Buffer) => {
      if (!take(chunk)) {
        stderr.push(Buffer.from("the engine's stream cannot be read: it has no frames\n"));
        source.destroy();
      } else if (!stdout.ready() || !stderr.ready()) {
        source.pause();
      }
    });
    source.once("end", resolve);
    source.once("close", resolve);
    // A connection that breaks is the end of the stream; how the program ended is asked for elsewhere.
    source.once("error", () => resolve());
  });
}

function plausible(header: Buffer): boolean {
  return header[0]! <= LAST_STREAM && header[1] === 0 && header[2] === 0 && header[3] === 0;
}
