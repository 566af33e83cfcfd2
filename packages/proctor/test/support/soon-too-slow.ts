// Calls work that never ends, and is stopped for it, with a fiftieth of its limit of CPU time: what happens then does not depend on
// how long it took.
import { granted } from "../../src/runtime/cpu-limit.ts";

const SHARE = 1 / 50;

export async function soonTooSlow<T>(work: () => T | Promise<T>): Promise<T> {
  granted.share = SHARE;
  try {
    return await work();
  } finally {
    granted.share = 1;
  }
}
