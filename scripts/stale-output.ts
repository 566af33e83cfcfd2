// Finds what an earlier build left in `dist`: output of sources that have meanwhile been removed, renamed or moved.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Written by other steps of the build than the compiler and the copier. */
const OWN = /^(?:program|dashboard|report|\.tsbuildinfo)(?:[\\/]|$)/;

/** Paths of files and folders in `dist` of a package that has no source for them. */
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

/** What the compiler makes an output of, or what is copied as it is. */
function sourcesOf(path: string): string[] {
  const [, stem, kind = ""] = /^(.*?)(?:\.d(?=\.[mc]?ts$))?\.([mc]?)[jt]s$/.exec(path) ?? [];
  return stem === undefined ? [path] : [path, `${stem}.${kind}ts`, `${stem}.${kind}js`];
}
