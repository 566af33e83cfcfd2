// A private directory for what is on its way to the store, made when first needed and removed with the session.
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bytes that were collected: in memory while they are few. */
export type Collected = { content: Uint8Array } | { read: () => AsyncIterable<Uint8Array>; bytes: number };

export interface Scratch {
  /** Rejects when the source does, and leaves nothing then. Undefined when the signal aborts. */
  collect(source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Collected | undefined>;
  remove(): Promise<void>;
}

const IN_MEMORY_BYTES = 1024 * 1024;

export function createScratch(): Scratch {
  let folder: Promise<string> | undefined;
  let files = 0;

  async function newFile(): Promise<string> {
    folder ??= mkdtemp(join(tmpdir(), "proctor-term-"));
    return join(await folder, String(files++));
  }

  async function spill(
    first: readonly Uint8Array[],
    rest: AsyncIterator<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Collected | undefined> {
    const path = await newFile();
    const file = await open(path, "wx", 0o600);
    let bytes = 0;
    const put = async (chunk: Uint8Array): Promise<void> => {
      bytes += chunk.length;
      await file.appendFile(chunk);
    };
    try {
      for (const chunk of first) await put(chunk);
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
        if (signal.aborted) throw new Error("stopped");
        await put(next.value);
      }
    } catch (error) {
      await rm(path, { force: true });
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      await file.close();
    }
    return { bytes, read: () => readOnce(path) };
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
    async remove() {
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}

/** The file is gone after it was read. */
async function* readOnce(path: string): AsyncGenerator<Uint8Array> {
  try {
    // Typed as any in Node; without an encoding its chunks are buffers.
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } finally {
    await rm(path, { force: true });
  }
}
