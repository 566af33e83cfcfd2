// The state of an environment's files as a snapshot: what was written over the root, and what is gone from it.
import { dirname } from "node:path/posix";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SnapshotOptions } from "../../core/ports/environments.ts";
import { encodeSnapshot } from "../snapshot/encode-snapshot.ts";
import { insidePath, type SnapshotEntry } from "../snapshot/snapshot.ts";
import { createBaseView } from "./base-view.ts";
import type { UpperListing, UpperReader } from "./upper-reader.ts";

/** Yields a snapshot; `skipped` are the mount points, which are not files of the environment. */
export async function* takeSnapshot(
  reader: UpperReader,
  skipped: ReadonlySet<string>,
  options: SnapshotOptions,
): AsyncGenerator<Uint8Array> {
  const listing = await reader.list();
  const whiteouts = [...listing.entries.values()]
    .filter(({ type }) => type === "whiteout")
    .map(({ path }) => path);
  const removed = [...whiteouts, ...(await replaced(reader, listing))].toSorted();
  const entries = readEntries(reader.archive(), skipped);
  yield* encodeSnapshot({ removed, opaque: [...listing.opaque].toSorted(), entries }, options);
}

/** Resolves with paths that would break unpacking: another entry where the root has a directory, or a directory where it has a link. */
async function replaced(reader: UpperReader, { entries, opaque }: UpperListing): Promise<string[]> {
  const base = createBaseView(reader.base);
  const found: string[] = [];
  for (const { path, type } of entries.values()) {
    if (type === "whiteout" || opaque.has(dirname(path))) continue;
    const was = (await base.look(path))?.type;
    if (type === "directory" ? was === "link" : was === "directory") found.push(path);
  }
  return found;
}

async function* readEntries(
  stream: AsyncIterable<Uint8Array>,
  skipped: ReadonlySet<string>,
): AsyncGenerator<SnapshotEntry> {
  const { extract } = await import("tar-stream");
  // The library's types do not know the option.
  const archive = extract({ filenameEncoding: "latin1" } as object);
  const source = Readable.from(stream, { objectMode: false });
  const reading = pipeline(source, archive).catch((error: unknown) => error);
  const decoder = new TextDecoder("utf8", { fatal: true });
  const text = (name: string): string | undefined => {
    try {
      return decoder.decode(Buffer.from(name, "latin1"));
    } catch {
      return undefined;
    }
  };
  try {
    for await (const member of archive) {
      const { type, mode, uid, gid, mtime, size, linkname } = member.header;
      const path = insidePath(text(member.header.name) ?? "");
      if (path !== undefined && !skipped.has(path)) {
        const metadata = { path, mode: mode & 0o7777, uid, gid, mtime };
        const target = text(linkname ?? "");
        if (type === "file") yield { ...metadata, type, size, content: member as AsyncIterable<Uint8Array> };
        else if (type === "directory" || type === "fifo") yield { ...metadata, type };
        else if (type === "symlink" && target !== undefined) yield { ...metadata, type, target };
        else if (type === "link" && target !== undefined)
          yield { ...metadata, type, target: insidePath(target) ?? "/" };
        // Whiteouts were listed before, and sockets are useless without the program that made them.
      }
      member.resume();
    }
    const failure = await reading;
    if (failure !== undefined) throw failure;
  } finally {
    source.destroy();
    archive.destroy();
  }
}
