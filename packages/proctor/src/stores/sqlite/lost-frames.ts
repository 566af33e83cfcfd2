// Finds commits in a write-ahead log that SQLite could not read. It stops at the first frame that is damaged and does not report those
// after it. Format: https://www.sqlite.org/fileformat2.html#walformat
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { SqliteConnection } from "./sqlite-connection.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/** Returns what may be missing from the file of a connection that was just opened; undefined when nothing is. */
export function findLostFrames(writer: SqliteConnection, file: string): string | undefined {
  let wal: number;
  try {
    wal = openSync(`${file}-wal`, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(wal);
    if (size <= HEADER_BYTES) return undefined;
    const header = readAt(wal, 0, HEADER_BYTES);
    const first = header.readUInt32BE(0);
    const pageBytes = header.readUInt32BE(8);
    const isKnown = (first === MAGIC || first === MAGIC + 1) && pageBytes >= 512 && pageBytes <= 65_536;
    if (!isKnown) return lost(`the beginning of ${file}-wal`);
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    const read = readableFrames(writer);
    for (let at = HEADER_BYTES + read * frameBytes; at + frameBytes <= size; at += frameBytes) {
      const frame = readAt(wal, at, FRAME_HEADER_BYTES);
      const isOfThisLog = frame.compare(header, 16, 24, 8, 16) === 0;
      // The number of pages after the commit that the frame ends; 0 in all others.
      if (isOfThisLog && frame.readUInt32BE(4) > 0)
        return lost(`a part of ${file}-wal, after ${read} pages,`);
    }
    return undefined;
  } finally {
    closeSync(wal);
  }
}

function readableFrames(writer: SqliteConnection): number {
  const state = writer.first<{ log: number }>({ sql: "PRAGMA wal_checkpoint(PASSIVE)", parameters: [] });
  return Math.max(0, state?.log ?? 0);
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
}

function lost(what: string): string {
  return (
    `${what} is damaged and could not be read: what was committed last may be missing\n` +
    `The database itself is sound. Check the disk, and compare with a backup what was acknowledged last.`
  );
}
