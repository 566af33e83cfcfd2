// Everything below a directory, parents first, in the order of names. Links are entries, never followed.
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Entry {
  /** The absolute path. */
  path: string;
  type: "file" | "directory" | "link" | "other";
  stats: BigIntStats;
}

export async function* walk(folder: string): AsyncGenerator<Entry> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.toSorted(byName)) {
    const path = join(folder, name);
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    // It was removed since its name was read.
    if (stats === undefined) continue;
    const type = typeOf(stats);
    yield { path, type, stats };
    if (type === "directory") yield* walk(path);
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function typeOf(stats: BigIntStats): Entry["type"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}
