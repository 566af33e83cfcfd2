// One member of a tar stream, written as fast as it is read.
import type { Header, Pack } from "tar-stream";

export type MemberHeader = Pick<Header, "name" | "type"> &
  Partial<Pick<Header, "mode" | "uid" | "gid" | "mtime" | "linkname" | "size">>;

/** Resolves when the member has been read; rejects when nobody reads the archive any more. */
export function writeMember(
  archive: Pack,
  header: MemberHeader,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined,
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
