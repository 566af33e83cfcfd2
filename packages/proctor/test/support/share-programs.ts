// The programs that the sources start beside themselves, translated once for all test files: a loader of TypeScript takes several times as long as
// they do, at every start.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { READY_PROGRAMS } from "../../src/runtime/own-program.ts";
import { bundleInto, PROGRAMS } from "./bundle-program.ts";

const SOURCES = ["environments/pty/pty-program.ts", "environments/network/bridge-program.ts"];

/** Called by vitest before the first file; returns what it calls after the last. */
export async function setup(): Promise<() => void> {
  mkdirSync(PROGRAMS, { recursive: true });
  const folder = mkdtempSync(join(PROGRAMS, "shared-"));
  // Hubs of other users start them as well.
  chmodSync(folder, 0o755);
  for (const source of SOURCES) {
    const program = fileURLToPath(new URL(`../../src/${source}`, import.meta.url));
    await bundleInto(join(folder, `${basename(source, ".ts")}.js`), program);
  }
  process.env[READY_PROGRAMS] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
