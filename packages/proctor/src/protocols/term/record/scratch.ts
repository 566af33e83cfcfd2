// Where bytes wait that are on their way to the store and too many for memory: files without a name, so that nothing is left of them
// whatever becomes of this process.
import { randomUUID } from "node:crypto";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bytes in memory when they are few, otherwise in a file that is read once. */
export type Collected = { content: Uint8Array } | { read: () => AsyncIterable<Uint8Array>; bytes: number };

export interface Scratch {
  /** Rejects when the source does, and leaves nothing then. Undefined when the signal aborts. */
  collect(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Collected | undefined>;
  /** Removes what was never read. */
  close(): Promise<void>;
}

const IN_MEMORY_BYTES = 1024 * 1024;

export function createScratch(): Scratch {
  const unread = new Set<FileHandle>();

  async function spill(
    first: readonly Uint8Array[],
    rest: AsyncIterator<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Collected | undefined> {
    const file = await openNameless();
    unread.add(file);
    let bytes = 0;
    try {
      for (const chunk of first) bytes += await append(file, chunk);
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
        if (signal.aborted) break;
        bytes += await append(file, next.value);
      }
    } catch (error) {
      await letGo(file);
      throw error;
    }
    if (!signal.aborted) return { bytes, read: () => readOnce(file) };
    await letGo(file);
    return undefined;
  }

  async function letGo(file: FileHandle): Promise<void> {
    if (unread.delete(file)) await file.close();
  }

  async function* readOnce(file: FileHandle): AsyncGenerator<Uint8Array> {
    try {
      // Typed as any in Node; without an encoding its chunks are buffers.
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) yield chunk as Buffer;
    } finally {
      await letGo(file);
    }
  }

  return {
    async collect(source, signal) {
      const iterator = source[Symbol.asyncIterator]();
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      try {
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
          if (signal.aborted) return undefined;
          chunks.push(next.value);
          bytes += next.value.length;
          if (bytes > IN_MEMORY_BYTES) return await spill(chunks, iterator, signal);
        }
        return { content: Buffer.concat(chunks) };
      } finally {
        // Does nothing to one that has ended.
        if (signal.aborted) void iterator.return?.();
      }
    },
    async close() {
      for (const file of unread) await letGo(file);
    },
  };
}

async function append(file: FileHandle, chunk: Uint8Array): Promise<number> {
  await file.appendFile(chunk);
  return chunk.length;
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `.proctor-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
