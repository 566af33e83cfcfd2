// The files of a local environment as a snapshot, under the names that the request gave them: so it can be restored in any kind.
import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import type { SnapshotOptions } from "../../core/ports/environments.ts";
import { encodeSnapshot } from "../snapshot/encode-snapshot.ts";
import type { SnapshotEntry } from "../snapshot/snapshot.ts";
import type { Place } from "./place.ts";
import { walk } from "./walk.ts";
import type { Entry } from "./walk.ts";

export function takeSnapshot(place: Place, options: SnapshotOptions): AsyncIterable<Uint8Array> {
  const workdir = place.asked(place.work);
  // The snapshot replaces the whole directory, whatever another root has there.
  const opaque = workdir === "/" ? [] : [workdir];
  return encodeSnapshot({ removed: [], opaque, entries: entriesOf(place) }, options);
}

async function* entriesOf(place: Place): AsyncGenerator<SnapshotEntry> {
  /** The first name of each file that has several. */
  const names = new Map<string, string>();
  for await (const entry of walk(place.work)) {
    const encoded = await encode(place, entry, names);
    if (encoded !== undefined) yield encoded;
  }
}

async function encode(
  place: Place,
  { path, type, stats }: Entry,
  names: Map<string, string>,
): Promise<SnapshotEntry | undefined> {
  const metadata = {
    path: place.asked(path),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    mtime: new Date(Number(stats.mtimeMs)),
  };
  switch (type) {
    case "directory":
      return { ...metadata, type };
    case "link": {
      const target = await readlink(path).catch(() => undefined);
      return target === undefined ? undefined : { ...metadata, type: "symlink", target };
    }
    case "file": {
      const key = `${stats.dev} ${stats.ino}`;
      const first = names.get(key);
      if (first !== undefined) return { ...metadata, type: "link", target: first };
      if (stats.nlink > 1n) names.set(key, metadata.path);
      const size = Number(stats.size);
      return { ...metadata, type, size, content: contentOf(path, size) };
    }
    case "other":
      // A socket or a device is useless without its server; a pipe can be made again.
      return stats.isFIFO() ? { ...metadata, type: "fifo" } : undefined;
  }
}

const ZEROS = Buffer.alloc(64 * 1024);

/** Yields exactly as many bytes as were announced, whatever happens to the file meanwhile. */
async function* contentOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  try {
    while (left > 0) {
      const buffer = Buffer.alloc(Math.min(left, ZEROS.length));
      const read = await file?.read(buffer);
      if (read === undefined || read.bytesRead === 0) break;
      left -= read.bytesRead;
      yield buffer.subarray(0, read.bytesRead);
    }
  } finally {
    await file?.close();
  }
  for (; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, Math.min(left, ZEROS.length));
}
