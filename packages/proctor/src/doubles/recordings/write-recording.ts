// Writes the recording of an ended run. It appears under its name when it is complete, never half. Reading one is
// protocols/replay/read-recording.ts, because a protocol may not reach into doubles.
import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { formatRecording, type RecordingLabels } from "../../core/format-recording.ts";
import type { Run } from "../../core/run.ts";

/** Characters that are written at once. */
const BATCH_CHARS = 64 * 1024;

/** Throws FILE_UNREADABLE when the file cannot be written. */
export async function writeRecording(
  file: string,
  run: Run,
  events: AsyncIterable<RunEvent>,
  extra: RecordingLabels = {},
): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeLines(temporary, formatRecording(run, events, extra));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (!isSystemError(error)) throw error;
    throw new ProctorError("FILE_UNREADABLE", `the recording ${file} cannot be written: ${error.message}`, {
      cause: error,
    });
  }
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    let batch = "";
    for await (const line of lines) {
      batch += `${line}\n`;
      if (batch.length < BATCH_CHARS) continue;
      await handle.writeFile(batch);
      batch = "";
    }
    await handle.writeFile(batch);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
