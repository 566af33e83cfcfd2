// Removes the local environments of processes that are gone, and kills what still runs in them.
import { realpath } from "node:fs/promises";
import { listAbandoned } from "../../runtime/files/owned-names.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { killMarked } from "../../runtime/processes/strays.ts";
import { MARK_VARIABLE } from "./programs.ts";

export async function sweep(stateDir: string): Promise<void> {
  // MARK_VARIABLE contains the real path.
  const dir = await realpath(stateDir).catch(() => stateDir);
  for (const { path } of await listAbandoned(dir)) {
    await killMarked(MARK_VARIABLE, path);
    await removeTree(path);
  }
}
