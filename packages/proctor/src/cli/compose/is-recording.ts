// Tells a recording from a script by its content, so that one command serves both.
import { open, stat } from "node:fs/promises";
import { isJsonObject } from "../../core/json.ts";

/** Bytes of a file that are looked at: a recording says in its first line that it is one. */
const HEAD_BYTES = 64 * 1024;

/** True for a recording and for a folder, which can only hold recordings. A file that cannot be read is not a recording. */
export async function isRecording(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || path.endsWith(".jsonl")) return path.endsWith(".jsonl");
  return found.isDirectory() || saysSo(await headOf(path));
}

async function headOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function saysSo(head: string): boolean {
  const [line = ""] = head.split("\n");
  try {
    const header: unknown = JSON.parse(line);
    return isJsonObject(header) && "proctor_recording" in header;
  } catch {
    // Its task may be longer than what was read.
    return /^\{\s*"proctor_recording"\s*:/.test(line);
  }
}
