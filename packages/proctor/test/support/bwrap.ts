// Whether this machine can isolate with bubblewrap; where it cannot, tests that need it say so once.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Arguments of bubblewrap that show the system's programs and nothing else. Not the whole root: there, mounts of other tests come and go, and it
 * fails when one goes while it looks.
 */
export const SYSTEM_ONLY: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"].flatMap(
  (path) => (existsSync(path) ? ["--ro-bind", path, path] : []),
);

const tried = spawnSync("bwrap", [...SYSTEM_ONLY, "--unshare-all", "true"], { encoding: "utf8" });

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
