// The directory of an ended run, found again by the run's id. Only what can be nothing but that directory is opened, because
// it may be removed afterwards.
import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isUuid } from "../../core/id.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import type { KeptWorkspace } from "../../core/ports/workspaces.ts";
import { workspaceAt } from "../../runtime/workspaces/workspace-at.ts";
import { packWorkspace } from "./pack-workspace.ts";

/** Opens the directory; `homes` are folders that hold a directory per run. */
export async function openKept(homes: readonly string[], runId: string): Promise<KeptWorkspace | undefined> {
  // Ids come from clients: one that is "Documents" or ".." must not get at another folder.
  if (!isUuid(runId)) return undefined;
  for (const home of homes) {
    const root = await realpath(home).catch(() => undefined);
    const path = root === undefined ? undefined : join(root, runId);
    if (path !== undefined && (await isOwnFolder(path))) {
      const remove = (): Promise<void> => removeTree(path);
      return { ...workspaceAt(path, remove), pack: () => packWorkspace(path) };
    }
  }
  return undefined;
}

/** Resolves with true for a directory of this user that is not a link. */
async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return false;
  // Where files have no owners, there is nothing to compare.
  return process.getuid === undefined || process.getuid() === stats.uid;
}
