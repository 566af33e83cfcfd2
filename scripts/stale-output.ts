// Finds what an earlier build left in `dist`: output of sources that have meanwhile been removed, renamed or moved.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Paths in `dist` that other steps of the build write, which are neither the compiler nor the copying of programs. */
const OWN = /^(?:program|dashboard|report|\.tsbuildinfo)(?:[\\/]|$)/;

/** Returns the paths of files and folders in the `dist` of a package that have no source. */
export function staleOutput(folder: string): string[] {
  const output = join(folder, "dist");
  if (!existsSync(output)) return [];
  const sources = new Set(
    entriesOf(join(folder, "src")).filter((path) => !/\.(?:test|case)\.ts$/.test(path)),
  );
  return entriesOf(output)
    .filter((path) => !OWN.test(path) && !sourcesOf(path).some((source) => sources.has(source)))
    .map((path) => join(output, path));
}

function entriesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** Returns the sources that an output may have: the file itself when it was copied, or the one that was compiled to it. */
function sourcesOf(path: string): string[] {
  const [, stem, kind = ""] = /^(.*?)(?:\.d(?=\.[mc]?ts$))?\.([mc]?)[jt]s$/.exec(path) ?? [];
  return stem === undefined ? [path] : [path, `${stem}.${kind}ts`, `${stem}.${kind}js`];
}
