// A program of a test that imports much of Proctor's sources, as one file of JavaScript: it starts in a fraction of the time that
// it takes to translate every module at every start.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { EXTERNAL } from "../../../../scripts/external.ts";
import { ownAddress } from "../../../../scripts/own-address.ts";
import { builtFile, USES_BUILT } from "./built-sources.ts";
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
  const file = newFile(source);
  await bundleInto(file, source);
  return file;
}

/**
 * The same for a program that is started once or twice: where the sources are built it imports what was built, and only the rest is translated,
 * which takes milliseconds.
 */
export async function linkProgram(source: string): Promise<string> {
  const file = newFile(source);
  await bundleInto(file, source, USES_BUILT ? [builtOutside] : []);
  return file;
}

const builtOutside: Plugin = {
  name: "built-outside",
  resolveId(id, importer) {
    if (!id.startsWith(".") || importer === undefined) return null;
    const built = builtFile(join(dirname(importer), id));
    return built === undefined ? null : { id: pathToFileURL(built).href, external: "absolute" };
  },
};

function newFile(source: string): string {
  mkdirSync(PROGRAMS, { recursive: true });
  const folder = mkdtempSync(join(PROGRAMS, `${basename(source, ".ts")}-`));
  folders.push(folder);
  // Hubs of other users are started from here as well.
  chmodSync(folder, 0o755);
  return join(folder, "program.js");
}

/** Writes the bundle to `file`, which must be below the package. */
export async function bundleInto(file: string, source: string, more: Plugin[] = []): Promise<void> {
  const bundle = await rolldown({
    input: source,
    platform: "node",
    // The oldest Node.js that is supported.
    transform: { target: "node20.19" },
    external: [...EXTERNAL, "vitest"],
    plugins: [...more, ownAddress(PACKAGE, dirname(file))],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}
