// The state of a container's files as a snapshot: the engine says which paths differ from the image, the image's own tar brings them. What
// it brings is taken only where it was asked for.
import type Docker from "dockerode";
import { ProctorError } from "../../core/errors.ts";
import type { Environment, SnapshotOptions } from "../../core/ports/environments.ts";
import { encodeSnapshot } from "../snapshot/encode-snapshot.ts";
import type { SnapshotEntry } from "../snapshot/snapshot.ts";
import { argumentBatches } from "./argument-batches.ts";
import { engineChanges } from "./engine-changes.ts";
import { readArchive, type ArchiveMember } from "../../runtime/archive/read-archive.ts";
import { statInside } from "./stat-inside.ts";

interface SnapshotSource {
  container: Docker.Container;
  start: Environment["start"];
  isOwn: (path: string) => boolean;
}

export async function* takeSnapshot(
  source: SnapshotSource,
  options: SnapshotOptions,
): AsyncGenerator<Uint8Array> {
  const { container, isOwn } = source;
  const changes = await engineChanges(container, isOwn);
  const removed: string[] = [];
  const opaque: string[] = [];
  const present: string[] = [];
  for (const [path, kind] of changes) {
    // An engine also reports a directory as removed that was created again.
    const gone = kind === "removed" && (await statInside(container, path)) === undefined;
    if (gone) removed.push(path);
    else present.push(path);
    if (kind === "removed" && !gone) opaque.push(path);
  }
  yield* encodeSnapshot({ removed, opaque, entries: readAll(source, present) }, options);
}

async function* readAll(source: SnapshotSource, paths: readonly string[]): AsyncGenerator<SnapshotEntry> {
  for (const batch of argumentBatches(paths)) yield* readBatch(source, batch);
}

async function* readBatch(
  { start }: SnapshotSource,
  paths: readonly string[],
): AsyncGenerator<SnapshotEntry> {
  const names = paths.map((path) => path.slice(1));
  const program = start({
    command: ["tar", "-cf", "-", "--no-recursion", "-C", "/", "--", ...names],
    cwd: "/",
    user: "0",
  });
  program.stdin.end();
  let said = "";
  program.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString("latin1")).slice(-1000)));
  const wanted = new Set(names);
  const given = new Set<string>();
  try {
    for await (const member of readArchive(program.stdout)) {
      const name = member.header.name.replace(/\/$/, "");
      const entry = wanted.has(name) && !given.has(name) ? toEntry(name, member, given) : undefined;
      if (entry) {
        given.add(name);
        yield entry;
      }
    }
    const { code } = await program.exited;
    // Exit codes 1 and 2 mean that files changed or were removed meanwhile; the others are in the archive.
    if (code > 2) {
      throw new ProctorError(
        "ENVIRONMENT_UNAVAILABLE",
        `no snapshot could be taken: tar in the container ended with ${code}: ${said.trim()}`,
      );
    }
  } finally {
    program.signal("SIGKILL");
  }
}

function toEntry(
  name: string,
  { header, content }: ArchiveMember,
  given: ReadonlySet<string>,
): SnapshotEntry | undefined {
  const { type, mode, uid, gid, mtime, size, linkname } = header;
  const metadata = { path: `/${name}`, mode: mode & 0o7777, uid, gid, mtime };
  switch (type) {
    case "file":
    case "contiguous-file":
      return { ...metadata, type: "file", size, content };
    case "directory":
    case "fifo":
      return { ...metadata, type };
    case "symlink":
      return { ...metadata, type, target: linkname };
    case "link":
      return given.has(linkname) ? { ...metadata, type, target: `/${linkname}` } : undefined;
    default:
      return undefined;
  }
}
