// The mounts that show a directory without some of what lies in it.
import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "../core/ports/environments.ts";
import { isBelow } from "./install-prefix.ts";

/** Replaces a directory that contains hidden paths by its other entries, recursively. Paths are real ones. */
export function mountsAround(mount: Mount, hidden: readonly string[]): Promise<Mount[]> {
  return around(mount, hidden, mount.source);
}

async function around(mount: Mount, hidden: readonly string[], within: string): Promise<Mount[]> {
  if (hidden.some((path) => isBelow(mount.source, path))) return [];
  if (!hidden.some((path) => isBelow(path, mount.source))) return [mount];
  const parts: Mount[] = [];
  for (const name of await readdir(mount.source)) {
    const source = await visible(join(mount.source, name), within);
    if (source !== undefined) parts.push({ ...mount, source, target: join(mount.target, name) });
  }
  return (await Promise.all(parts.map((part) => around(part, hidden, within)))).flat();
}

/** Resolves with the real path, because a mount follows links; undefined for a link that leads out, a socket or a pipe. */
async function visible(path: string, within: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry?.isFile() === true || entry?.isDirectory() === true) return path;
  if (entry?.isSymbolicLink() !== true) return undefined;
  const real = await realpath(path).catch(() => undefined);
  // A link to a directory above itself would never end.
  return real !== undefined && isBelow(real, within) && !isBelow(path, real) ? real : undefined;
}
