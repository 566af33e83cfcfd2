// Removes the local environments of processes that are gone.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { killMarked } from "./kill-marked.ts";
import { abandonedMark } from "./owner.ts";
import { removeTree } from "./remove-tree.ts";

export async function sweepLocal(stateDir: string): Promise<void> {
  const names = await readdir(stateDir).catch(() => []);
  for (const name of names) {
    const base = join(stateDir, name);
    const abandoned = await abandonedMark(base);
    if (abandoned === undefined) continue;
    if (abandoned.mark !== undefined) await killMarked(abandoned.mark);
    await removeTree(base);
  }
}
