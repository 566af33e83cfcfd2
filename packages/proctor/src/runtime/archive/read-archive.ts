// A tar stream, member by member. Each is read, or skipped, before the next one comes.
import type { Extract, Header } from "tar-stream";

export interface ArchiveMember {
  header: Header;
  content: AsyncIterable<Uint8Array>;
}

/** Yields the members. Throws when the stream is not an archive, or an archive that is cut off. */
export async function* readArchive(stream: AsyncIterable<unknown>): AsyncGenerator<ArchiveMember> {
  const { extract } = await import("tar-stream");
  const archive = extract();
  feed(stream, archive).catch((error: unknown) =>
    archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const member of archive) {
      yield { header: member.header, content: pieces(member) };
      member.resume();
    }
  } finally {
    // The feeder notices it with its next piece.
    archive.destroy();
  }
}

/** This is no pipeline, because the library's streams are not Node's, and Node's pipelines do not notice all of their ends. */
async function feed(stream: AsyncIterable<unknown>, archive: Extract): Promise<void> {
  for await (const piece of stream) {
    if (archive.destroyed || archive.destroying) return;
    if (!archive.write(piece)) await writable(archive);
  }
  archive.end(null);
}

function writable(archive: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      archive.off("drain", done);
      archive.off("close", done);
      resolve();
    };
    archive.on("drain", done);
    archive.on("close", done);
    if (archive.destroyed) done();
  });
}

async function* pieces(member: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  // The library types what it reads as unknown; it is bytes.
  for await (const piece of member) yield piece as Uint8Array;
}
