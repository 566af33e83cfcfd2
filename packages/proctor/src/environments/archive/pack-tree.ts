// Files of this machine as a tar stream, for an engine to unpack: owned by root, with their modes and times, links as links. What is
// neither file, directory nor link is left out.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { addEntry } from "../../runtime/archive/add-entry.ts";
import { packArchive, type ArchiveWriter } from "../../runtime/archive/pack-archive.ts";

interface PackOptions {
  /** The name of the source inside the archive; "" for the content of a directory. */
  name: string;
  /** Directories that are packed before the source, outermost first. */
  parents?: readonly string[];
  /** Decides about a path below the source, with `/`. `descend`: the directory is not packed, but may contain entries that are. */
  choose?: (path: string) => "keep" | "skip" | "descend";
  signal?: AbortSignal;
}

export function packTree(source: string, options: PackOptions): Promise<Readable> {
  return packArchive((writer) => write(writer, source, options));
}

async function write(
  writer: ArchiveWriter,
  source: string,
  { name, parents = [], choose, signal }: PackOptions,
): Promise<void> {
  for (const parent of parents) await writer.add({ name: parent, type: "directory", mode: 0o755 });

  async function visit(path: string, below: string): Promise<void> {
    signal?.throwIfAborted();
    const verdict = below === "" || choose === undefined ? "keep" : choose(below);
    if (verdict === "skip") return;
    const stats = await lstat(path);
    const inside = [name, below].filter((part) => part !== "").join("/");
    if (verdict === "keep" && inside !== "")
      await addEntry(writer, { path, stats }, { name: inside, uid: 0, gid: 0 });
    if (!stats.isDirectory()) return;
    const entries = await readdir(path);
    for (const entry of entries.toSorted())
      await visit(join(path, entry), below === "" ? entry : `${below}/${entry}`);
  }
  await visit(source, "");
}
