// Files without a name, in memory: how arguments and variables reach bubblewrap without standing in a command line or on a disk.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";

/** O_TMPFILE, which Node does not define: the same bit on every architecture, combined with the flag for directories. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

export interface MemoryFile {
  readonly descriptor: number;
  read(): string;
  close(): void;
}

export function openMemoryFile(content: string | Uint8Array = ""): MemoryFile {
  const descriptor = openUnnamed();
  let open = true;
  // Written at a position, so that a program that inherits the descriptor reads from the beginning.
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
  return {
    descriptor,
    read() {
      if (!open) return "";
      const text = Buffer.alloc(fstatSync(descriptor).size);
      return text.subarray(0, readSync(descriptor, text, 0, text.length, 0)).toString("utf8");
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

let place = "/dev/shm";

function openUnnamed(): number {
  try {
    return openSync(place, O_TMPFILE | constants.O_RDWR, 0o600);
  } catch (error) {
    if (place === tmpdir()) throw error;
    place = tmpdir();
    return openUnnamed();
  }
}
