// The file of `proctor run --record`: checked before the run, which may be expensive, and written after it.
import { messageOf } from "../../../core/message-of.ts";
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { readLog } from "../../../core/read-log.ts";
import type { Run } from "../../../core/run.ts";
import type { CliIo } from "../../cli-io.ts";
import type { HubSession } from "../../compose/compose.ts";

/** Returns the path of the file, and makes its folder. Throws USAGE. */
export async function recordingFile(name: string, io: CliIo): Promise<string> {
  const file = resolve(io.cwd, name);
  const refuse = (why: string, cause?: unknown): ProctorError =>
    new ProctorError("USAGE", `--record ${name}: ${why}\nname a file that can be written`, { cause });
  if (name.trim() === "") throw refuse("it names no file");
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw refuse("it is a directory");
  return file;
}

/** After retries, the last attempt is the one that is recorded. */
export async function writeRecordingOf(
  run: Run,
  file: string,
  { hub, composition }: HubSession,
): Promise<void> {
  await composition.writeRecording(file, run, readLog(hub, run.id));
}
