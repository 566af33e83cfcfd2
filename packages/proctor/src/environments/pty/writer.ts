// Types into a terminal as fast as its program reads.
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const AGAIN_MS = 5;

/** Resolves with false when the terminal is gone. `isOpen` says whether the descriptor is still ours. */
export async function writePty(fd: number, data: Uint8Array, isOpen: () => boolean): Promise<boolean> {
  for (let rest = data; rest.length > 0;) {
    if (!isOpen()) return false;
    const written = tryWrite(fd, rest);
    if (written === "gone") return false;
    if (written === "full") await delay(AGAIN_MS);
    else rest = rest.subarray(written);
  }
  return true;
}

/** Writes without blocking, because the descriptor is non-blocking. */
function tryWrite(fd: number, bytes: Uint8Array): number | "full" | "gone" {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EAGAIN" ? "full" : "gone";
  }
}
