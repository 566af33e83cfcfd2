// Removes what processes of ours that are gone left: directories of environments, and their groups. Mounts and programs are gone with them.
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { groupName, removeGroups } from "./cgroup.ts";
import { rememberedGroups } from "./environment-dir.ts";
import { isAlive } from "./owner.ts";

/** `dir`: the directories of all owners. */
export async function sweep(dir: string): Promise<void> {
  const owners = await readdir(dir).catch(() => []);
  for (const owner of owners) {
    if (isAlive(owner) !== false) continue;
    const ids = await readdir(join(dir, owner));
    for (const id of ids) {
      const groups = rememberedGroups(join(dir, owner, id));
      await removeGroups(groups.filter((group) => basename(group) === groupName(id)));
    }
    await rm(join(dir, owner), { recursive: true, force: true });
  }
}
