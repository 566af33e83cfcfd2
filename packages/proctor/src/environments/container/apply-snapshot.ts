// A snapshot laid over a fresh container: what is gone is removed inside, the rest is unpacked by the engine.
import type Docker from "dockerode";
import { ProctorError } from "../../core/errors.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { decodeSnapshot } from "../snapshot/decode-snapshot.ts";
import type { SnapshotEntry } from "../snapshot/snapshot.ts";
import { argumentBatches } from "./argument-batches.ts";
import { put } from "./engine-files.ts";
import { packArchive, type ArchiveWriter } from "../../runtime/archive/pack-archive.ts";

interface SnapshotTarget {
  container: Docker.Container;
  start: Environment["start"];
}

const REMOVE = 'rm -rf -- "$@"';
/** Empties directories, which themselves stay because they may be mount points. */
const EMPTY = 'for dir do (cd -- "$dir" && rm -rf -- ./* ./.[!.]* ./..?*); done';
const TIMEOUT_MS = 120_000;

export async function applySnapshot(
  { container, start }: SnapshotTarget,
  stream: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { removed, opaque, entries } = await decodeSnapshot(stream);

  async function each(script: string, paths: readonly string[]): Promise<void> {
    for (const batch of argumentBatches(paths)) {
      const command = ["/bin/sh", "-c", script, "sh", ...batch];
      const { code, stderr } = await runToEnd(start, { command, cwd: "/", user: "0", timeoutMs: TIMEOUT_MS });
      if (code !== 0)
        throw new ProctorError(
          "ENVIRONMENT_UNAVAILABLE",
          `a snapshot could not be restored: ${stderr.trim()}`,
        );
    }
  }

  // Directories are emptied first, because the removed files may include the program that removes.
  await each(EMPTY, opaque);
  await each(REMOVE, removed);
  await put(container, "/", await packArchive((writer) => fill(writer, entries)));
}

async function fill(writer: ArchiveWriter, entries: AsyncIterable<SnapshotEntry>): Promise<void> {
  for await (const entry of entries) {
    const { path, mode, uid, gid, mtime } = entry;
    const header = { name: path.slice(1), mode, uid, gid, mtime };
    switch (entry.type) {
      case "file":
        await writer.addFile({ ...header, type: "file", size: entry.size }, entry.content);
        break;
      case "symlink":
        await writer.add({ ...header, type: "symlink", linkname: entry.target });
        break;
      case "link":
        await writer.add({ ...header, type: "link", linkname: entry.target.slice(1) });
        break;
      case "directory":
      case "fifo":
        await writer.add({ ...header, type: entry.type });
        break;
    }
  }
}
