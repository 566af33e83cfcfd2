// A tar stream that is written member by member, as fast as it is read.
import { Readable } from "node:stream";
import type { Header, Pack } from "tar-stream";

export type MemberHeader = Pick<Header, "name" | "type"> &
  Partial<Pick<Header, "mode" | "uid" | "gid" | "mtime" | "linkname">>;

export interface ArchiveWriter {
  add(header: MemberHeader): Promise<void>;
  addFile(header: MemberHeader & { size: number }, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** What goes wrong in `fill` is the end of the stream, with its reason. */
export async function packArchive(fill: (writer: ArchiveWriter) => Promise<void>): Promise<Readable> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  fill({
    add: (header) => write(archive, header, undefined),
    addFile: (header, content) => write(archive, header, content),
  }).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return Readable.from(archive, { objectMode: false });
}

function write(
  archive: Pack,
  header: MemberHeader,
  content: AsyncIterable<Uint8Array> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error("nobody reads the archive any more"));
    if (archive.destroyed) return onClose();
    archive.once("close", onClose);
    const sink = archive.entry(header, (error) => {
      archive.off("close", onClose);
      return error ? reject(error) : resolve();
    });
    const feed = async (): Promise<void> => {
      if (content === undefined) return;
      for await (const piece of content) if (!sink.write(piece)) await ready(sink);
      sink.end(null);
    };
    feed().catch(reject);
  });
}

function ready(sink: ReturnType<Pack["entry"]>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off("drain", done);
      sink.off("close", done);
      resolve();
    };
    sink.on("drain", done);
    sink.on("close", done);
  });
}
