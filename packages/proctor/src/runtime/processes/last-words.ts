// The output of a program that has ended may still be on its way, and something that it left behind may hold the pipe for ever.
import { setTimeout as delay } from "node:timers/promises";

const QUIET_MS = 50;
const LONGEST_MS = 1000;

/** Resolves when the streams have ended, or nothing more comes. `seen` gives the number of bytes that have come. */
export async function lastWords(ended: Promise<unknown>, seen: () => number): Promise<void> {
  const over = ended.then(() => true);
  const until = performance.now() + LONGEST_MS;
  for (let before = -1; performance.now() < until && seen() !== before;) {
    before = seen();
    const timer = new AbortController();
    const quiet = delay(QUIET_MS, false, { signal: timer.signal }).catch(() => false);
    const done = await Promise.race([over, quiet]);
    timer.abort();
    if (done) return;
  }
}

export function streamEnd(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    stream
      .once("end", () => resolve())
      .once("close", () => resolve())
      .once("error", () => resolve());
  });
}
