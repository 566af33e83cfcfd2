// Removes what processes of ours that are gone left: directories of environments, and their groups. Mounts and programs are gone with them.
import { basename } from "node:path";
import { listAbandoned } from "../../runtime/files/owned-names.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { sweepForwards } from "../network/forward-dir.ts";
import { groupName, removeGroups } from "./cgroup.ts";
import { rememberedGroups } from "./environment-dir.ts";

/** Removes what dead processes left: `liveDir` has the directories of all environments, each with an owned name, `stateDir` the networks'. */
export async function sweep(liveDir: string, stateDir: string): Promise<void> {
  await sweepForwards(stateDir);
  for (const { path, rest: id } of await listAbandoned(liveDir)) {
    await removeGroups(rememberedGroups(path).filter((group) => basename(group) === groupName(id)));
    await removeTree(path);
  }
}
