// Documents on their way into the report: several share a chunk, chunks are packed and wait in a temporary file, so that
// memory stays flat however many there are.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ProctorError } from "../../../core/errors.ts";
import type { Place } from "./report-documents.ts";

/** Similar documents pack much better together; a chunk must still be unpacked in no time. */
const CHUNK_CHARACTERS = 192 * 1024;

interface ChunkSpool {
  /** Adds a document as JSON, and returns where it will be found. */
  add(json: string): Place;
  /** Returns each chunk in order, as the base64 of a gzipped JSON array. */
  chunks(): Generator<string>;
  close(): void;
}

export function createChunkSpool(folder: string = tmpdir()): ChunkSpool {
  const sizes: number[] = [];
  let pending: string[] = [];
  let pendingCharacters = 0;
  let descriptor: number | undefined;

  function flush(): void {
    if (pending.length === 0) return;
    const packed = gzipSync(`[${pending.join(",")}]`, { level: 6 });
    pending = [];
    pendingCharacters = 0;
    try {
      descriptor ??= openUnnamed(folder);
      for (let written = 0; written < packed.length;) written += writeSync(descriptor, packed, written);
    } catch (error) {
      throw unwritable(folder, error);
    }
    sizes.push(packed.length);
  }

  return {
    add(json) {
      const place: Place = [sizes.length, pending.length];
      pending.push(json);
      pendingCharacters += json.length;
      if (pendingCharacters >= CHUNK_CHARACTERS) flush();
      return place;
    },
    *chunks() {
      flush();
      let position = 0;
      for (const size of sizes) {
        if (descriptor === undefined) return;
        const packed = Buffer.alloc(size);
        for (let read = 0; read < size;) {
          const count = readSync(descriptor, packed, read, size - read, position + read);
          if (count === 0) throw unwritable(folder, new Error("the temporary file was cut"));
          read += count;
        }
        position += size;
        yield packed.toString("base64");
      }
    },
    close() {
      pending = [];
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** A file without a name: gone with its descriptor, also when the process is killed. */
function openUnnamed(folder: string): number {
  const own = mkdtempSync(join(folder, "proctor-report-"));
  try {
    return openSync(join(own, "chunks"), "wx+", 0o600);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function unwritable(folder: string, error: unknown): ProctorError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ProctorError(
    code === "ENOSPC" ? "STORE_FULL" : "USAGE",
    `the HTML report needs room for a temporary file in ${folder} (${message})\nfree some, or name another folder in TMPDIR`,
    { cause: error },
  );
}
