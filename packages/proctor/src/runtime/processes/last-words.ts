// The output of a program that has ended may still be on its way, and something that it left behind may hold the pipe for ever.
import { within } from "./end-by-force.ts";

/** Milliseconds without output after which nothing more is expected. */
const QUIET_MS = 50;
/** Most milliseconds that output is waited for. */
const LONGEST_MS = 1000;

/** Resolves when the streams have ended, or nothing more arrives. `seen` returns the number of bytes that have arrived. */
export async function lastWords(ended: Promise<unknown>, seen: () => number): Promise<void> {
  const until = performance.now() + LONGEST_MS;
  for (let before = -1; performance.now() < until && seen() !== before;) {
    before = seen();
    if (await within(ended, QUIET_MS)) return;
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
