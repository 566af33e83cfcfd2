// The state of an environment's files as a snapshot, and a snapshot laid over a fresh environment.
import { dirname } from "node:path/posix";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Profile } from "../../core/environment.ts";
import type { EnvironmentProcess, SnapshotOptions } from "../../core/ports/environments.ts";
import { decodeSnapshot } from "../snapshot/decode-snapshot.ts";
import { encodeSnapshot } from "../snapshot/encode-snapshot.ts";
import { insidePath, type SnapshotEntry } from "../snapshot/snapshot.ts";
import { createBaseView } from "./base-view.ts";
import { feed } from "./inside-files.ts";
import type { UpperListing, UpperReader } from "./upper-reader.ts";

/** `skipped`: places of mounts, which are not of its files. */
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

/** What unpacking would stumble over: something else where the root has a directory, a directory where it has a link. */
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
        // Whiteouts are told before; sockets are nothing without the program that made them.
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

const REMOVE = "exec xargs -0 -r rm -rf --";
const EMPTY = `exec xargs -0 -r sh -c 'for dir do [ ! -d "$dir" ] || find "$dir" -mindepth 1 -delete; done' sh`;

/** `start`: as root, with everything writable, in `/`. */
export async function applySnapshot(
  start: (command: readonly string[]) => EnvironmentProcess,
  stream: AsyncIterable<Uint8Array>,
  profile: Profile,
): Promise<void> {
  const failure = "a snapshot could not be restored";
  const { removed, opaque, entries } = await decodeSnapshot(stream);
  const each = async (script: string, paths: readonly string[]): Promise<void> => {
    if (paths.length > 0)
      await feed(start(["/bin/sh", "-c", script]), Readable.from([Buffer.from(paths.join("\0"))]), failure);
  };
  // Emptied first: what is removed may be the program that removes.
  await each(EMPTY, opaque);
  await each(REMOVE, removed);
  const owner = profile === "multi-user" ? ["--same-owner", "--numeric-owner"] : ["--no-same-owner"];
  const content = encodeSnapshot(
    { removed: [], opaque: [], entries },
    { maxBytes: Number.POSITIVE_INFINITY },
  );
  await feed(
    start(["tar", "-x", "-p", ...owner, "-f", "-", "-C", "/", "--exclude=.proctor"]),
    content,
    failure,
  );
}
