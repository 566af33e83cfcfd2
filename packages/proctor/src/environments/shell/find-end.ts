// Finds the end of a command in the stream of a shell, wherever the stream is cut into chunks, and hands on all that is not an end.
import { MARKER_BYTE } from "./frame.ts";

export interface CommandEnd {
  code: number;
  /** The directory as the shell names it; empty when the shell does not know it. */
  cwd: string;
}

interface EndFinder {
  /** Looks for this marker from now on. */
  expect(marker: string): void;
  push(chunk: Buffer): void;
  /** Passes on bytes that were held back because they could have begun an end. */
  flush(): void;
}

interface Listener {
  onOutput: (bytes: Buffer) => void;
  onEnd: (end: CommandEnd) => void;
}

const FIRST = MARKER_BYTE.charCodeAt(0);

export function createEndFinder({ onOutput, onEnd }: Listener): EndFinder {
  let needle: Buffer | undefined;
  let held: Buffer | undefined;

  function push(chunk: Buffer): void {
    let bytes = chunk;
    if (held !== undefined) {
      bytes = Buffer.concat([held, chunk]);
      held = undefined;
    }
    // What follows an end belongs to the next command.
    for (let rest: Buffer | undefined = bytes; rest !== undefined;) rest = look(rest);
  }

  function look(bytes: Buffer): Buffer | undefined {
    const at = needle === undefined ? -1 : bytes.indexOf(needle);
    if (needle === undefined || at === -1) {
      hold(bytes, needle === undefined ? bytes.length : beginningOf(needle, bytes));
      return undefined;
    }
    const stop = bytes.indexOf(0, at + needle.length);
    if (stop === -1) {
      hold(bytes, at);
      return undefined;
    }
    if (at > 0) onOutput(bytes.subarray(0, at));
    const [code = "", ...cwd] = bytes.toString("utf8", at + needle.length, stop).split(" ");
    needle = undefined;
    onEnd({ code: Number(code), cwd: cwd.join(" ") });
    return stop + 1 < bytes.length ? bytes.subarray(stop + 1) : undefined;
  }

  function hold(bytes: Buffer, from: number): void {
    if (from > 0) onOutput(bytes.subarray(0, from));
    // Copied, because the memory it came in is used again.
    if (from < bytes.length) held = Buffer.from(bytes.subarray(from));
  }

  return {
    expect(marker) {
      needle = Buffer.from(`${MARKER_BYTE}${marker} `, "latin1");
    },
    push,
    flush() {
      if (held !== undefined) onOutput(held);
      held = undefined;
    },
  };
}

/** Returns the position in the last bytes at which the needle may begin; the length when it cannot. */
function beginningOf(needle: Buffer, bytes: Buffer): number {
  let at = bytes.indexOf(FIRST, Math.max(0, bytes.length - needle.length + 1));
  while (at !== -1 && needle.compare(bytes, at, bytes.length, 0, bytes.length - at) !== 0)
    at = bytes.indexOf(FIRST, at + 1);
  return at === -1 ? bytes.length : at;
}
