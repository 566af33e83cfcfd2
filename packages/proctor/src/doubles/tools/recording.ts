// The file of recorded calls: JSON Lines, one call with its answer per line.
import { messageOf } from "../../core/message-of.ts";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";

export interface RecordedCall extends JsonObject {
  tool: string;
  input: Json;
  status: string;
  output?: Json;
  error?: string;
  error_code?: string;
  duration_ms: number;
}

const MAX_RECORDING_BYTES = 100 * 1024 * 1024;

/** The last write by file, because writers of the same file wait for each other. */
const queues = new Map<string, Promise<void>>();

/** Appends one line with one write, so that lines of several writers never mix. */
export async function appendCall(file: string, line: string): Promise<void> {
  const before = queues.get(file) ?? Promise.resolve();
  const mine = before.then(() => append(file, line));
  const settled = mine.catch(() => {});
  queues.set(file, settled);
  await mine.finally(() => {
    if (queues.get(file) === settled) queues.delete(file);
  });
}

async function append(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, "a");
  try {
    await handle.appendFile(`${line}\n`);
  } finally {
    await handle.close();
  }
}

/** Throws FILE_UNREADABLE with the line that is wrong. */
export async function readRecording(file: string): Promise<RecordedCall[]> {
  const text = await read(file);
  return text.split("\n").flatMap((line, index): RecordedCall[] => {
    if (line.trim() === "") return [];
    const call = parseCall(line);
    if (call !== undefined) return [call];
    throw unreadable(`${file}:${index + 1}`, "is not a recorded call", "record again, or remove the line");
  });
}

async function read(file: string): Promise<string> {
  try {
    if ((await stat(file)).size <= MAX_RECORDING_BYTES) return await readFile(file, "utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const what = missing ? "there is no such recording" : `cannot be read: ${messageOf(error)}`;
    throw unreadable(file, what, 'record the tool first, with "record" in place of "replay"');
  }
  throw unreadable(file, "is larger than 100 MB", "record less into one file");
}

function parseCall(line: string): RecordedCall | undefined {
  try {
    const value: unknown = isTooDeep(line) ? undefined : JSON.parse(line);
    if (!isJsonObject(value)) return undefined;
    const { tool, status, input = null, duration_ms: duration } = value;
    if (typeof tool !== "string" || typeof status !== "string") return undefined;
    return { ...value, tool, status, input, duration_ms: typeof duration === "number" ? duration : 0 };
  } catch {
    return undefined;
  }
}

function unreadable(where: string, what: string, next: string): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `${where}  ${what}\n   ${next}`, { details: { file: where } });
}
