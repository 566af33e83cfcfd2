// Lets tests run on what the compiler made of the sources, which is what users run. Node loads it as it is; sources are translated module by module
// for every worker, which costs more than most tests. `npm test` asks for it, as it has built before; `npx vitest run` takes the sources themselves.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = `${PACKAGE}src/`;
const BUILT = `${PACKAGE}dist/`;

/** Set by `npm test`. */
export const USES_BUILT: boolean = process.env["PROCTOR_TEST_BUILT"] !== undefined;

/** What Node loads by itself. */
export const BUILT_FILES = /\/packages\/proctor\/dist\//;

export function builtSources(): Plugin {
  return {
    name: "built-sources",
    enforce: "pre",
    resolveId(source, importer) {
      if (!source.startsWith(".") || importer === undefined) return null;
      const resolved = join(dirname(importer), source);
      return builtFile(resolved) ?? null;
    },
  };
}

/** What the compiler made of a source of the package; undefined where that is nothing. */
export function builtFile(source: string): string | undefined {
  if (!source.startsWith(SOURCES) || !source.endsWith(".ts")) return undefined;
  const built = `${BUILT}${source.slice(SOURCES.length, -".ts".length)}.js`;
  return existsSync(built) ? built : undefined;
}
