// Whether this machine can isolate with bubblewrap; where it cannot, tests that need it say so once.
import { spawnSync } from "node:child_process";

const tried = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"], { encoding: "utf8" });

const hasBwrap = tried.status === 0;

/** For `describe.skipIf(lacksBwrap("…"))`. */
export function lacksBwrap(what: string): boolean {
  if (!hasBwrap) {
    const why = tried.error
      ? "bubblewrap is not installed"
      : `bubblewrap does not work: ${tried.stderr.trim()}`;
    console.log(`skipped: ${what}: ${why}`);
  }
  return !hasBwrap;
}
