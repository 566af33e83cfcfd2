// The offline toolchain of environments, made once for all test files instead of once for every data folder: that takes seconds.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VARIABLE = "PROCTOR_TEST_TOOLCHAIN";

/** Called by vitest before the first file; returns what it calls after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "proctor-toolchain-"));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Lets the program whose database is in `dataFolder` use it. */
export function shareToolchain(dataFolder: string): void {
  const shared = process.env[VARIABLE];
  if (shared === undefined) throw new Error("share-toolchain.ts must be among the global setups of vitest");
  const environments = join(dataFolder, "environments");
  mkdirSync(environments, { recursive: true });
  symlinkSync(shared, join(environments, "toolchain"));
}
