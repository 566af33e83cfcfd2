// One member of a tar stream, written as fast as it is read.
import type { Header, Pack } from "tar-stream";

export type MemberHeader = Pick<Header, "name" | "type"> &
  Partial<Pick<Header, "mode" | "uid" | "gid" | "mtime" | "linkname" | "size">>;

type Sink = ReturnType<Pack["entry"]>;

/**
 * Resolves when the member has been read; rejects when the archive is no longer read. The content has been closed by then, however it ended: it may
 * hold a file open.
 */
export async function writeMember(
  archive: Pack,
  header: MemberHeader,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined,
): Promise<void> {
  if (archive.destroyed) throw unread();
  const { sink, read } = openMember(archive, header);
  if (content !== undefined) await feed(sink, content);
  await read;
}

function openMember(archive: Pack, header: MemberHeader): { sink: Sink; read: Promise<void> } {
  let settle: (error?: Error | null) => void = () => undefined;
  const read = new Promise<void>((resolve, reject) => {
    const onClose = (): void => reject(unread());
    archive.once("close", onClose);
    settle = (error) => {
      archive.off("close", onClose);
      if (error) reject(error);
      else resolve();
    };
  });
  // The caller sees an error when it awaits `read`; it does not await it when the content fails first.
  read.catch(() => undefined);
  return { sink: archive.entry(header, (error) => settle(error)), read };
}

async function feed(sink: Sink, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of content) {
    if (!sink.write(piece)) await ready(sink);
    if (sink.destroyed) throw unread();
  }
  sink.end(null);
}

function ready(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    // The sink has reported its error already.
    if (sink.destroyed) return resolve();
    const done = (): void => {
      sink.off("drain", done);
      sink.off("close", done);
      resolve();
    };
    sink.on("drain", done);
    sink.on("close", done);
  });
}

function unread(): Error {
  return new Error("nobody reads the archive any more");
}
