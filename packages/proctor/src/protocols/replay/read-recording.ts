// Reads a recording from its file without trusting it: only regular files, and only so large.
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { ProctorError } from "../../core/errors.ts";
import { parseRecording } from "./parse-recording.ts";
import { MAX_RECORDING_BYTES, type Recording } from "../../core/recording.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Throws FILE_UNREADABLE. */
export async function readRecording(file: string): Promise<Recording> {
  return parseRecording(decode(await readBytes(file), file), file);
}

async function readBytes(file: string): Promise<Uint8Array> {
  let handle;
  try {
    // A pipe without a writer would block.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await regular(handle.stat(), file);
    if (size > MAX_RECORDING_BYTES) {
      throw unreadable(file, `larger than ${MAX_RECORDING_BYTES / 1024 / 1024} MiB`);
    }
    return await handle.readFile();
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    const { code = "" } = error as NodeJS.ErrnoException;
    throw unreadable(file, REASONS[code] ?? `it cannot be read (${code})`, error);
  } finally {
    await handle?.close();
  }
}

async function regular(
  found: Promise<{ isFile(): boolean; size: number }>,
  file: string,
): Promise<{ size: number }> {
  const stats = await found;
  if (stats.isFile()) return stats;
  throw unreadable(file, "it is not a file");
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "no permission to read it",
  EISDIR: "it is not a file",
};

function decode(bytes: Uint8Array, file: string): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw unreadable(file, "it is not text in UTF-8", cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `the recording ${file}: ${why}`, { cause });
}
