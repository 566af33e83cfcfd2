// The directory of an ended run, found again by the path that its log names. The log may be that of a hub elsewhere: only
// what can be nothing but the directory of that run on this machine is opened, because whoever opens it may remove it.
import { lstat, realpath } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { isUuid } from "../../core/id.ts";
import type { OpenKeptWorkspace } from "../../core/ports/workspaces.ts";
import { removeTree } from "./remove-tree.ts";
import { workspaceAt } from "../../runtime/workspaces/workspace-at.ts";

export const openKeptWorkspace: OpenKeptWorkspace = async (runId, path) => {
  // A hub that calls its run "Documents" must not get at a folder of that name.
  if (!isUuid(runId) || path.includes("\0") || !isAbsolute(path) || basename(path) !== runId)
    return undefined;
  // No link anywhere on the way, and no `..`.
  if ((await realpath(path).catch(() => undefined)) !== path) return undefined;
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory() || !isOurs(stats.uid)) return undefined;
  return workspaceAt(path, () => removeTree(path));
};

/** Where files have no owners, there is nothing to compare. */
function isOurs(owner: number): boolean {
  return process.getuid === undefined || process.getuid() === owner;
}
