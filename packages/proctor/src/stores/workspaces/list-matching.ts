// Walks a workspace for files that match patterns. Follows no link, and stops where an agent made too much of it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceFile } from "../../core/ports/workspaces.ts";
import { findInside } from "./find-inside.ts";

/** Entries looked at; a workspace with more is not searched to its end. */
const MAX_ENTRIES = 100_000;

export async function listMatching(
  root: string,
  patterns: readonly string[],
  limit: number,
): Promise<WorkspaceFile[]> {
  const matchers = patterns.map(toMatcher);
  const names: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (++seen > MAX_ENTRIES) break;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile() && matchers.some((matches) => matches.test(name))) names.push(name);
    }
  }
  const files: WorkspaceFile[] = [];
  for (const name of names.toSorted().slice(0, limit)) {
    const file = await findInside(root, name);
    if (typeof file !== "string") files.push(file);
  }
  return files;
}

/** `*` and `?` stay within one folder, `**` does not; everything else means itself. */
function toMatcher(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, "")
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? part.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&"))
    .join("");
  return new RegExp(`^${source}$`, "su");
}

const WILDCARDS: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
