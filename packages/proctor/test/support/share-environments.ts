// What environments are made of, made once for all test files instead of once for every data folder: the offline toolchain, which takes seconds, and the
// view of this machine, which is more than a thousand files.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const VARIABLE = "PROCTOR_TEST_ENVIRONMENTS";
const LAYERS = "bwrap/bwrap/layers";
/** Folders below `environments` whose content is found by its hash, so that any number of programs may share them. */
const SHARED = ["toolchain", LAYERS];

/** Called by vitest before the first file; returns what it calls after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "proctor-environments-"));
  for (const name of SHARED) mkdirSync(join(folder, name), { recursive: true });
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Lets the program whose database is in `dataFolder` use them. */
export function shareEnvironments(dataFolder: string): void {
  for (const name of SHARED) share(name, join(dataFolder, "environments", name));
}

/** Lets a provider of bubblewrap whose folder is `stateDir` use the view of this machine. */
export function shareLayers(stateDir: string): void {
  share(LAYERS, join(stateDir, "bwrap/layers"));
}

function share(name: string, link: string): void {
  const shared = process.env[VARIABLE];
  if (shared === undefined)
    throw new Error("share-environments.ts must be among the global setups of vitest");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(shared, name), link);
}
