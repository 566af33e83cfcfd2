// The directory of an ended run as a tar stream. Links stay links, written so that they lead to the same place in a copy; one
// that leads out leads nowhere in it. What is neither file, folder nor link is left out.
import type { Stats } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { addEntry } from "../../runtime/archive/add-entry.ts";
import { packArchive } from "../../runtime/archive/pack-archive.ts";

const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_ENTRIES = 100_000;

interface Entry {
  /** Path relative to the root, with `/`. */
  name: string;
  path: string;
  stats: Stats;
}

/** Packs a directory; `root` is absolute and has no links in it. */
export async function packWorkspace(root: string): Promise<AsyncIterable<Uint8Array>> {
  // Before the first byte, so that a workspace that is too large is refused and not cut off.
  const entries = await listAll(root);
  const target = (path: string): Promise<string> => portableTarget(root, path);
  return packArchive(async (writer) => {
    for (const { name, path, stats } of entries)
      await addEntry(writer, { path, stats, target }, { name, mode: stats.mode & 0o777 });
  });
}

async function listAll(root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of (await readdir(join(root, folder))).toSorted()) {
      const name = folder === "" ? entry : `${folder}/${entry}`;
      const path = join(root, name);
      const stats = await lstat(path);
      if (stats.isFile()) bytes += stats.size;
      if (entries.push({ name, path, stats }) > MAX_ENTRIES || bytes > MAX_BYTES) throw tooLarge();
      if (stats.isDirectory()) folders.push(name);
    }
  }
  return entries;
}

/** Resolves with a relative target where the link stays inside; with `/`, which is outside of every copy, where it leads out. */
async function portableTarget(root: string, path: string): Promise<string> {
  const target = await readlink(path);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return target.startsWith(sep) ? "missing" : target;
  if (real !== root && !real.startsWith(root + sep)) return "/";
  return relative(dirname(path), real) || ".";
}

function tooLarge(): ProctorError {
  return new ProctorError(
    "PAYLOAD_TOO_LARGE",
    "the workspace is larger than 1 GiB or has more than 100,000 entries",
  );
}
