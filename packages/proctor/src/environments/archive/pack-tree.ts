// Files of this machine as a tar stream, for an engine to unpack: owned by root, with their modes and times, links as links. What is
// neither file, directory nor link is left out.
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { packArchive, type ArchiveWriter } from "../../runtime/archive/pack-archive.ts";

interface PackOptions {
  /** The name of the source inside the archive; "" for the content of a directory. */
  name: string;
  /** Directories that stand before it, outermost first. */
  parents?: readonly string[];
  /** `path` is below the source, with `/`. `descend`: a directory that is not packed may hold something that is. */
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
    const file = await lstat(path);
    const inside = [name, below].filter((part) => part !== "").join("/");
    const header = { name: inside, mode: file.mode & 0o7777, mtime: file.mtime, uid: 0, gid: 0 };
    const kept = verdict === "keep";
    if (file.isDirectory()) {
      if (kept && inside !== "") await writer.add({ ...header, type: "directory" });
      const entries = await readdir(path);
      for (const entry of entries.toSorted())
        await visit(join(path, entry), below === "" ? entry : `${below}/${entry}`);
    } else if (!kept) {
      return;
    } else if (file.isSymbolicLink()) {
      await writer.add({ ...header, type: "symlink", linkname: await readlink(path) });
    } else if (file.isFile()) {
      // One that grows meanwhile is taken as it was; one that shrinks is a failure of the stream.
      const content = file.size === 0 ? empty() : createReadStream(path, { end: file.size - 1 });
      await writer.addFile({ ...header, type: "file", size: file.size }, content);
    }
  }
  await visit(source, "");
}

async function* empty(): AsyncGenerator<Uint8Array> {}
