// Takes away a directory that an agent worked in, whatever it made of it.
import { rmdirSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Follows no link. An agent may have locked its folders: they are unlocked, and it is tried once more. */
export async function removeTree(path: string): Promise<void> {
  if (removeEmpty(path)) return;
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** Most agents leave theirs empty. At once: handing so little work to a thread costs three times the work. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
  }
}
