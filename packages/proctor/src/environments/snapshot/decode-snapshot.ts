// A snapshot read back. The stream comes from a store, but its names were chosen in the environment: none of them may lead out
// of the root.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Extract } from "tar-stream";
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { SnapshotEntry, SnapshotState } from "./snapshot.ts";
import { CHANGES_NAME, insidePath, SNAPSHOT_VERSION } from "./snapshot.ts";

/** A member of the archive: its header, and its content as a stream. */
type Entry = Extract extends AsyncIterable<infer T> ? T : never;

/** Bytes that the list of changed paths may have as JSON; a hundred thousand paths fit. */
const MAX_CHANGES_BYTES = 64 * 1024 * 1024;

const path = z.string().refine((text) => insidePath(text) === text, "not a path inside");
const changesSchema = z.object({
  version: z.literal(SNAPSHOT_VERSION),
  removed: z.array(path),
  opaque: z.array(path),
});

/** The caller must read the entries to their end, or return from them. Throws INVALID_REQUEST for what is not a snapshot. */
export async function decodeSnapshot(stream: AsyncIterable<Uint8Array>): Promise<SnapshotState> {
  const { extract } = await import("tar-stream");
  const archive = extract();
  const source = Readable.from(stream, { objectMode: false });
  // A failure of the source also reaches the reader of the archive.
  const reading = pipeline(source, archive).catch((error: unknown) => error);
  // An archive has one reader: the first member and the rest come from the same iterator.
  const members = archive[Symbol.asyncIterator]();

  try {
    const first = await members
      .next()
      .catch((cause: unknown) => Promise.reject(invalid("it is no tar stream", cause)));
    if (first.done === true || first.value.header.name !== CHANGES_NAME)
      throw invalid(`it does not begin with ${CHANGES_NAME}`);
    const { removed, opaque } = await readChanges(first.value);
    return { removed, opaque, entries: entriesOf(members, reading) };
  } catch (error) {
    archive.destroy();
    source.destroy();
    throw error;
  }
}

async function readChanges(member: Entry): Promise<{ removed: string[]; opaque: string[] }> {
  if (member.header.size > MAX_CHANGES_BYTES) throw invalid("its list of changes is too long");
  const chunks: Uint8Array[] = [];
  for await (const chunk of member) chunks.push(chunk as Uint8Array);
  try {
    return changesSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch (cause) {
    throw invalid("its list of changes cannot be read", cause);
  }
}

async function* entriesOf(
  members: AsyncIterator<Entry>,
  reading: Promise<unknown>,
): AsyncGenerator<SnapshotEntry> {
  try {
    for (;;) {
      const next = await members.next();
      if (next.done === true) break;
      yield decodeEntry(next.value);
      next.value.resume();
    }
    const failure = await reading;
    if (failure !== undefined) throw failure;
  } finally {
    await members.return?.();
  }
}

function decodeEntry(member: Entry): SnapshotEntry {
  const { name, type, mode, uid, gid, mtime, size, linkname } = member.header;
  const inside = insidePath(name);
  if (inside === undefined || name.startsWith("/")) throw invalid(`it names ${JSON.stringify(name)}`);
  const metadata = { path: inside, mode: mode & 0o7777, uid, gid, mtime };
  switch (type) {
    case "file":
    case "contiguous-file":
      return { ...metadata, type: "file", size, content: member as AsyncIterable<Uint8Array> };
    case "directory":
    case "fifo":
      return { ...metadata, type };
    case "symlink":
      return { ...metadata, type, target: linkname };
    case "link": {
      const target = insidePath(linkname);
      if (target === undefined) throw invalid(`it links ${inside} to ${JSON.stringify(linkname)}`);
      return { ...metadata, type, target };
    }
    default:
      throw invalid(`it holds a ${type}: ${inside}`);
  }
}

function invalid(reason: string, cause?: unknown): ProctorError {
  return new ProctorError("INVALID_REQUEST", `not a snapshot of an environment: ${reason}`, { cause });
}
