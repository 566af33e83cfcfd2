// Walks a workspace for files that match patterns. Follows no link, and stops when there are too many entries.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileCount, WorkspaceFile } from "../../core/ports/workspaces.ts";
import { findInside, locate } from "./find-inside.ts";

/** Most entries that are visited; a workspace with more is not searched to its end. */
const MAX_ENTRIES = 100_000;

export async function listMatching(
  root: string,
  patterns: readonly string[],
  limit: number,
): Promise<WorkspaceFile[]> {
  const { names } = await walk(root, patterns);
  const files: WorkspaceFile[] = [];
  for (const name of names.toSorted().slice(0, limit)) {
    const file = await findInside(root, name);
    if (typeof file !== "string") files.push(file);
  }
  return files;
}

/** Counts no files in a folder that is missing, is not a folder, or leads out of the workspace. */
export async function countMatching(root: string, folder: string, pattern: string): Promise<FileCount> {
  const place = await locate(root, folder);
  if (typeof place === "string") return { files: 0, complete: place === "missing" };
  const { names, complete } = await walk(place.real, [pattern]);
  return { files: names.length, complete };
}

/** Yields the names of regular files below the root. Folders whose own name `enters` rejects are left out. */
export async function walk(
  root: string,
  patterns: readonly string[],
  enters: (folder: string) => boolean = () => true,
): Promise<{ names: string[]; complete: boolean }> {
  const matchers = patterns.map(toMatcher);
  const deep = patterns.some((pattern) => /\/|\*\*/.test(pattern.replace(/^\.\//, "")));
  const names: string[] = [];
  const folders = [""];
  let seen = 0;
  let complete = true;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => undefined);
    if (!entries) complete = false;
    for (const entry of entries ?? []) {
      if (++seen > MAX_ENTRIES) return { names, complete: false };
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (deep && enters(entry.name)) folders.push(name);
      } else if (entry.isFile() && matchers.some((matches) => matches.test(name))) names.push(name);
    }
  }
  return { names, complete };
}

/** Returns a matcher: `*` and `?` stay within one folder, `**` does not; everything else means itself. */
function toMatcher(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, "")
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? part.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&"))
    .join("");
  return new RegExp(`^${source}$`, "su");
}

const WILDCARDS: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
