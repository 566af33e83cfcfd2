// A snapshot put back into the empty directory of a new local environment. Changes outside of that directory cannot be restored here.
import { execFile } from "node:child_process";
import { chmod, lchown, link, mkdir, open, symlink, utimes } from "node:fs/promises";
import { promisify } from "node:util";
import { decodeSnapshot } from "../snapshot/decode-snapshot.ts";
import type { SnapshotEntry, SnapshotFile } from "../snapshot/snapshot.ts";
import { makeParents } from "./place.ts";
import type { Place } from "./place.ts";

export async function applySnapshot(
  place: Place,
  snapshot: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { removed, opaque, entries } = await decodeSnapshot(snapshot);
  // Nothing inside has to be removed yet, and nothing outside may be: this only checks the paths.
  for (const path of [...removed, ...opaque]) place.real(path);
  /**
   * Directories whose modes and times are set in the end, the deepest first: filling a directory needs its permissions and changes its
   * time.
   */
  const directories: { path: string; entry: SnapshotEntry }[] = [];
  for await (const entry of entries) {
    signal.throwIfAborted();
    if (entry.type === "directory" && isAbove(entry.path, place.asked(place.work))) continue;
    const path = place.real(entry.path);
    await makeParents(place, path);
    await put(place, path, entry);
    if (entry.type === "directory") directories.push({ path, entry });
    else await describe(path, entry);
  }
  for (const { path, entry } of directories.reverse()) await describe(path, entry);
}

/** Whether the path is the workdir or above it, whose directories exist already. */
function isAbove(path: string, workdir: string): boolean {
  return path === workdir || workdir.startsWith(`${path}/`);
}

async function put(place: Place, path: string, entry: SnapshotEntry): Promise<void> {
  switch (entry.type) {
    case "directory":
      await mkdir(path, { recursive: true });
      return;
    case "file":
      return write(path, entry);
    case "symlink":
      return symlink(entry.target, path);
    case "link":
      return link(place.real(entry.target), path);
    case "fifo":
      await promisify(execFile)("mkfifo", ["--", path]);
      return;
    default:
      entry satisfies never;
  }
}

async function write(path: string, { content }: SnapshotFile): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

async function describe(path: string, { type, mode, uid, gid, mtime }: SnapshotEntry): Promise<void> {
  // Only root can change owners; otherwise all files belong to this process's user.
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
  if (type === "symlink" || type === "link") return;
  await chmod(path, mode);
  await utimes(path, mtime, mtime);
}
