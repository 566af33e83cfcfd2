// A tar stream that is written member by member, as fast as it is read.
import { Readable } from "node:stream";
import { writeMember, type MemberHeader } from "./write-member.ts";

export type { MemberHeader } from "./write-member.ts";

export interface ArchiveWriter {
  add(header: MemberHeader): Promise<void>;
  addFile(header: MemberHeader & { size: number }, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Returns the stream. An error of `fill` ends it with that error. */
export async function packArchive(fill: (writer: ArchiveWriter) => Promise<void>): Promise<Readable> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  fill({
    add: (header) => writeMember(archive, header, undefined),
    addFile: (header, content) => writeMember(archive, header, content),
  }).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return Readable.from(archive, { objectMode: false });
}
