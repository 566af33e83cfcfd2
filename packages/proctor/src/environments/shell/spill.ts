// The whole output of one command in a file, as far as it is kept. Written while it comes; what the disk cannot take in time is held
// back at its source.
import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutputFile } from "../../core/ports/environments.ts";

export interface Spill {
  append(chunk: Uint8Array): void;
  /** Resolves with the file; undefined where nothing could be written. */
  finish(): Promise<OutputFile | undefined>;
  remove(): Promise<void>;
}

interface SpillOptions {
  dir: string | undefined;
  maxBytes: number;
  /** Called when more waits to be written than should be in memory. */
  onFull: () => void;
  /** Called when less than that waits again. */
  onDrained: () => void;
}

/** Size of a block. Blocks are filled, written and filled again, so that a gigabyte needs the memory of a few. */
const BLOCK_BYTES = 256 * 1024;
const FULL_BLOCKS = 4;

interface Block {
  memory: Buffer;
  used: number;
}

export function createSpill({ dir = tmpdir(), maxBytes, onFull, onDrained }: SpillOptions): Spill {
  const path = join(dir, `output-${randomUUID()}`);
  const waiting: Block[] = [];
  const free: Buffer[] = [];
  let block: Block | undefined;
  let taken = 0;
  let written = 0;
  let complete = true;
  let failed = false;
  let full = false;
  let writing: Promise<void> | undefined;
  let file: FileHandle | undefined;

  async function write(): Promise<void> {
    try {
      file ??= await open(path, "wx", 0o600);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await file.writeFile(next.memory.subarray(0, next.used));
        written += next.used;
        free.push(next.memory);
        if (waiting.length < FULL_BLOCKS / 2) drained();
      }
    } catch {
      // A full disk: what was written is kept, and reported as incomplete.
      failed = true;
      complete = false;
      waiting.length = 0;
      drained();
    }
    writing = undefined;
  }

  function drained(): void {
    if (full) onDrained();
    full = false;
  }

  function fill(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0;) {
      block ??= { memory: free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0 };
      const part = rest.subarray(0, BLOCK_BYTES - block.used);
      block.memory.set(part, block.used);
      block.used += part.length;
      rest = rest.subarray(part.length);
      if (block.used === BLOCK_BYTES) hand();
    }
  }

  function hand(): void {
    if (block === undefined || failed) return;
    waiting.push(block);
    block = undefined;
    writing ??= write();
    if (!full && waiting.length >= FULL_BLOCKS) {
      full = true;
      onFull();
    }
  }

  async function close(): Promise<void> {
    await writing;
    await file?.close().catch(() => undefined);
    file = undefined;
  }

  const remove = async (): Promise<void> => {
    block = undefined;
    await close();
    await rm(path, { force: true });
  };

  return {
    append(chunk) {
      const kept = failed ? chunk.subarray(0, 0) : chunk.subarray(0, maxBytes - taken);
      if (kept.length < chunk.length) complete = false;
      taken += kept.length;
      fill(kept);
    },
    async finish() {
      hand();
      await close();
      if (written > 0) return { path, bytes: written, complete, remove };
      await remove();
      return undefined;
    },
    remove,
  };
}
