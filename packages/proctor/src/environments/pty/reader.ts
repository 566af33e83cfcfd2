// Reads everything that a terminal shows, as fast as it is taken, so that a slow reader holds the program back.
import { closeSync, constants, openSync, readSync } from "node:fs";
import type { SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import type { NativePty } from "./native.ts";

interface PtyReader {
  readonly output: AsyncIterable<Uint8Array>;
  /** Reads what the terminal still holds, then closes it. Must be called when the program is over. */
  finish(): void;
}

const HIGH_BYTES = 128 * 1024;
const CHUNK_BYTES = 16 * 1024;
/** Milliseconds of silence after which the terminal is closed, because a process that the program left may hold it open for ever. */
const QUIET_MS = 50;
const LOOK_MS = 5;

export function createPtyReader({ fd, pty }: NativePty): PtyReader {
  // As long as we hold the program's side, too, its end is no end of file: Node would stop at that before it has read everything.
  const held = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let over = false;
  let wake = (): void => undefined;
  let drained = (): void => undefined;

  function take(bytes: Uint8Array): boolean {
    // Copied, because the memory it came in is used again.
    waiting.push(Buffer.from(bytes));
    waitingBytes += bytes.length;
    wake();
    return waitingBytes < HIGH_BYTES;
  }

  // Node supports this option, and its types do not.
  const options = {
    onread: {
      buffer: new Uint8Array(CHUNK_BYTES),
      callback: (length: number, buffer: Uint8Array) => take(buffer.subarray(0, length)),
    },
  } as SocketConstructorOpts;
  const stream = new ReadStream(fd, options);
  stream.on("error", () => undefined);
  stream.resume();

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = waiting.shift();
      if (piece !== undefined) {
        waitingBytes -= piece.length;
        if (waitingBytes < HIGH_BYTES / 2) {
          stream.resume();
          drained();
        }
        yield piece;
      } else if (over) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  /** Reads without the stream, because the kernel then says when there is no more. */
  async function readRest(): Promise<void> {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS;) {
      const length = tryRead(fd, buffer);
      if (length === "end") return;
      if (length === "nothing") await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      else {
        if (!take(buffer.subarray(0, length))) await new Promise<void>((resolve) => (drained = resolve));
        quietSince = performance.now();
      }
    }
  }

  return {
    output: { [Symbol.asyncIterator]: read },
    finish() {
      stream.pause();
      // Nothing of ours reads from now on.
      stream.resume = () => stream;
      closeSync(held);
      void readRest().finally(() => {
        over = true;
        stream.destroy();
        wake();
      });
    },
  };
}

function tryRead(fd: number, buffer: Buffer): number | "nothing" | "end" {
  try {
    return readSync(fd, buffer) || "end";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EAGAIN" ? "nothing" : "end";
  }
}
