// Names of files that say which process made them, so that files of a dead process can be told from files in use.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from "../processes/identity.ts";
import { removeTree } from "./remove-tree.ts";

interface AbandonedEntry {
  path: string;
  /** The text that was given to `ownedName`. */
  rest: string;
}

/** Returns a name that belongs to this process. */
export function ownedName(rest: string): string {
  return `${formatIdentity(ownIdentity())}.${rest}`;
}

/** Lists entries of a folder whose processes are gone; only names that begin with `prefix`, followed by an owned name. */
export async function listAbandoned(folder: string, prefix = ""): Promise<AbandonedEntry[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    if (!name.startsWith(prefix)) return [];
    const [, owner = "", rest = ""] = /^([^.]*)\.(.*)$/s.exec(name.slice(prefix.length)) ?? [];
    const identity = parseIdentity(owner);
    return identity === undefined || isAlive(identity) ? [] : [{ path: join(folder, name), rest }];
  });
}

export async function removeAbandoned(folder: string, prefix?: string): Promise<void> {
  const entries = await listAbandoned(folder, prefix);
  await Promise.all(entries.map(({ path }) => removeTree(path)));
}
