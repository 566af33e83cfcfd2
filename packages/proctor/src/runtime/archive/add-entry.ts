// One file, directory or link of this machine as a member of an archive. What is none of these is left out.
import { createReadStream, type Stats } from "node:fs";
import { readlink } from "node:fs/promises";
import type { ArchiveWriter, MemberHeader } from "./pack-archive.ts";

interface Entry {
  path: string;
  /** Result of `lstat` for the path. */
  stats: Stats;
  /** Returns the target that a link gets in the archive; the link's own target when absent. */
  target?: (path: string) => Promise<string>;
}

/** Adds an entry. `header` has the name of the member and whatever is not taken from the file. */
export async function addEntry(
  writer: ArchiveWriter,
  { path, stats, target = readlink }: Entry,
  header: Omit<MemberHeader, "type" | "size" | "linkname">,
): Promise<void> {
  const common = { mode: stats.mode & 0o7777, mtime: stats.mtime, ...header };
  if (stats.isDirectory()) await writer.add({ ...common, type: "directory" });
  else if (stats.isSymbolicLink())
    await writer.add({ ...common, type: "symlink", linkname: await target(path) });
  else if (stats.isFile()) {
    // A file that grows meanwhile is taken at the size it had; one that shrinks is a failure of the stream.
    const content = stats.size === 0 ? empty() : createReadStream(path, { end: stats.size - 1 });
    await writer.addFile({ ...common, type: "file", size: stats.size }, content);
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
