// A snapshot as one tar stream: first `.proctor/changes.json` with what is gone, then everything that is there.
import type { Pack } from "tar-stream";
import { ProctorError } from "../../core/errors.ts";
import { writeMember, type MemberHeader } from "../../runtime/archive/write-member.ts";
import type { SnapshotOptions } from "../../core/ports/environments.ts";
import type { SnapshotEntry, SnapshotFile, SnapshotState } from "./snapshot.ts";
import { CHANGES_NAME, SNAPSHOT_VERSION } from "./snapshot.ts";

/** Throws PAYLOAD_TOO_LARGE when there is more than `maxBytes`. A file is held in memory while it is redacted. */
export async function* encodeSnapshot(
  state: SnapshotState,
  options: SnapshotOptions,
): AsyncGenerator<Uint8Array> {
  const { pack } = await import("tar-stream");
  const stream = pack();
  const filling = fill(stream, state, options).then(
    () => stream.finalize(),
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > options.maxBytes) throw tooLarge(options.maxBytes);
      yield chunk as Uint8Array;
    }
  } finally {
    stream.destroy();
    await filling;
  }
}

async function fill(stream: Pack, state: SnapshotState, options: SnapshotOptions): Promise<void> {
  const { removed, opaque } = state;
  const changes = Buffer.from(JSON.stringify({ version: SNAPSHOT_VERSION, removed, opaque }));
  await writeMember(
    stream,
    { name: CHANGES_NAME, type: "file", size: changes.length, mode: 0o600, mtime: new Date(0) },
    [changes],
  );
  for await (const entry of state.entries) await addEntry(stream, entry, options);
}

async function addEntry(stream: Pack, entry: SnapshotEntry, options: SnapshotOptions): Promise<void> {
  const { path, mode, uid, gid, mtime } = entry;
  const header = { name: path.slice(1), mode, uid, gid, mtime };
  switch (entry.type) {
    case "file":
      return addFile(stream, header, entry, options);
    case "symlink":
      return writeMember(stream, { ...header, type: "symlink", linkname: entry.target }, undefined);
    case "link":
      return writeMember(stream, { ...header, type: "link", linkname: entry.target.slice(1) }, undefined);
    case "directory":
    case "fifo":
      return writeMember(stream, { ...header, type: entry.type }, undefined);
  }
}

async function addFile(
  stream: Pack,
  header: Omit<MemberHeader, "type">,
  file: SnapshotFile,
  options: SnapshotOptions,
): Promise<void> {
  const { redact, maxBytes } = options;
  // The size is known before the file is read: one that cannot fit is not taken into memory.
  if (file.size > maxBytes) throw tooLarge(maxBytes);
  if (redact === undefined)
    return writeMember(stream, { ...header, type: "file", size: file.size }, file.content);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.content) chunks.push(chunk);
  const content = redact(Buffer.concat(chunks));
  return writeMember(stream, { ...header, type: "file", size: content.length }, [content]);
}

function tooLarge(maxBytes: number): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the snapshot has more than ${maxBytes} bytes`);
}
