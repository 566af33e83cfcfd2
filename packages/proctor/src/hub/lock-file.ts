// The files of a lock: what is in them, and the two ways in which they appear whole or not at all (link, rename).
import { createHash, randomUUID } from "node:crypto";
import { link, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isJsonObject } from "../core/json.ts";

export interface LockInfo {
  pid: number;
  /** Start time of the process, which tells the holder from another process with its pid. Null where the system does not report it. */
  process_start: string | null;
  /** Address of the hub. Null until it listens, and for a command that is not a hub. */
  url: string | null;
  token: string | null;
  command: string;
  started_at: string;
}

export interface LockDocument extends LockInfo {
  id: string;
}

const LEFTOVER_AGE_MS = 60_000;

/** Returns undefined for anything that is not a lock: such a file names no living process. */
export function decodeLock(text: string): LockDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { id, pid, process_start, url, token, command, started_at } = value;
  if (typeof id !== "string" || typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) {
    return undefined;
  }
  return {
    id,
    pid,
    process_start: textOrNull(process_start),
    url: textOrNull(url),
    token: textOrNull(token),
    command: textOrNull(command) ?? "proctor",
    started_at: textOrNull(started_at) ?? "an unknown time",
  };
}

/** Writes a whole file next to the lock, readable by its owner only, because it may hold a token. */
export async function writeTemporary(file: string, document: LockDocument): Promise<string> {
  const temporary = `${file}.new-${randomUUID()}`;
  await writeFile(temporary, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return temporary;
}

/** Returns the name of the marker for the successor of this exact lock text. */
export function successorOf(file: string, text: string): string {
  return `${file}.after-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

/** Resolves with false when the name is taken. */
export async function linkExclusively(source: string, name: string): Promise<boolean> {
  try {
    await link(source, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // A file where the directory should be holds no lock either; whoever takes the lock says what is wrong.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Removes files that processes killed while taking the lock left next to it long ago. Only the holder of the lock may call it:
 * before that, a marker of a dead process still decides who may succeed it.
 */
export async function sweepLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const prefixes = [`${basename(file)}.new-`, `${basename(file)}.after-`];
  for (const name of names.filter((candidate) => prefixes.some((prefix) => candidate.startsWith(prefix)))) {
    const path = join(folder, name);
    const modified = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - modified > LEFTOVER_AGE_MS) await rm(path, { force: true });
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
