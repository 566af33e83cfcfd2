// Finds the files of a workspace that were made or changed since it was marked. Contents are not read: a file that was written
// has another time of change, size or identity.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { ChangedFiles, WorkspaceFile, WorkspaceMark } from "../../core/ports/workspaces.ts";
import { findInside } from "./find-inside.ts";
import { walk } from "./list-matching.ts";

/** Names of folders that belong to tools: caches, repositories, installed packages. */
const TOOL_FOLDER = /^(?:\..*|node_modules|__pycache__|venv)$/;
const isWork = (folder: string): boolean => !TOOL_FOLDER.test(folder);

export async function markFiles(root: string): Promise<WorkspaceMark> {
  const { names } = await walk(root, ["**"], isWork);
  const states = new Map<string, string>();
  for (const name of names) states.set(name, await stateOf(root, name));
  return states;
}

export async function findChanged(
  root: string,
  mark: WorkspaceMark,
  patterns: readonly string[],
  limit: number,
): Promise<ChangedFiles> {
  const { names, complete } = await walk(root, patterns, isWork);
  const files: WorkspaceFile[] = [];
  for (const name of names.toSorted()) {
    if (mark.get(name) === (await stateOf(root, name))) continue;
    if (files.length >= limit) return { files, complete: false };
    const file = await findInside(root, name);
    if (typeof file !== "string") files.push(file);
  }
  return { files, complete };
}

async function stateOf(root: string, name: string): Promise<string> {
  const stats = await lstat(join(root, name), { bigint: true }).catch(() => undefined);
  return stats === undefined ? "gone" : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
}
