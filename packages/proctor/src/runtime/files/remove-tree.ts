// Removes a directory with everything in it, even what a program has locked.
import { rmdirSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const OPTIONS = { recursive: true, force: true, maxRetries: 3, retryDelay: 20 } as const;

/** Follows no link; removing a missing path is no error. */
export async function removeTree(path: string): Promise<void> {
  if (removeEmpty(path)) return;
  try {
    await rm(path, OPTIONS);
  } catch {
    await unlock(path);
    await rm(path, OPTIONS);
  }
}

/** Most directories of agents are empty. This is synchronous, because handing so little work to a thread costs three times as much. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
  }
}
