// A platform for tests whose commands use none: whoever touches it is told so.
import type { Platform } from "../../../src/core/ports/platform.ts";

// Every part is missing, which is the point.
export const NO_PLATFORM = new Proxy({} as Platform, {
  get(_, part) {
    throw new Error(`this test has no ${String(part)}`);
  },
});
