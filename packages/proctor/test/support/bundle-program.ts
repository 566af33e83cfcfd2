// A program of a test that imports much of Proctor's sources, as one file of JavaScript: it starts in a fraction of the time that
// it takes to translate every module at every start.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { EXTERNAL } from "../../../../scripts/external.ts";
import { ownAddress } from "../../../../scripts/own-address.ts";
import { afterEveryFile } from "./closing.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the package, so that the program finds the libraries that stay outside of the bundle. */
export const PROGRAMS = join(PACKAGE, "node_modules/.test-programs");

const folders: string[] = [];
afterEveryFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Resolves with the path of the bundle, which is gone at the end of the test file. */
export async function bundleProgram(source: string): Promise<string> {
  mkdirSync(PROGRAMS, { recursive: true });
  const folder = mkdtempSync(join(PROGRAMS, `${basename(source, ".ts")}-`));
  folders.push(folder);
  const file = join(folder, "program.js");
  await bundleInto(file, source);
  return file;
}

/** Writes the bundle to `file`, which must be below the package. */
export async function bundleInto(file: string, source: string): Promise<void> {
  const bundle = await rolldown({
    input: source,
    platform: "node",
    // The oldest Node.js that is supported.
    transform: { target: "node20.19" },
    external: [...EXTERNAL, "vitest"],
    plugins: [ownAddress(PACKAGE, dirname(file))],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}
