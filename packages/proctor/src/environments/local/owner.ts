// Whose an environment's directory is: the process that opened it, and the mark that its programs carry.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listProcesses } from "../process/process-table.ts";

export interface Owner {
  pid: number;
  /** Milliseconds since 1970: a number of a process is used again. */
  startedAt: number;
  mark: string;
}

const FILE = "owner.json";
const SAME_MS = 2000;
/** A directory without an owner is being made, or was left half made. */
const HALF_MADE_MS = 60_000;

export async function writeOwner(base: string, mark: string): Promise<void> {
  const owner: Owner = { pid: process.pid, startedAt: Date.now() - process.uptime() * 1000, mark };
  await writeFile(join(base, FILE), JSON.stringify(owner), { mode: 0o600 });
}

/** The mark of those that are to be killed, or undefined when the directory belongs to somebody alive. */
export async function abandonedMark(base: string): Promise<{ mark: string | undefined } | undefined> {
  const text = await readFile(join(base, FILE), "utf8").catch(() => undefined);
  const owner = text === undefined ? undefined : parse(text);
  if (owner === undefined) {
    const made = await stat(base).catch(() => undefined);
    return made !== undefined && Date.now() - made.mtimeMs > HALF_MADE_MS ? { mark: undefined } : undefined;
  }
  const row = (await listProcesses()).find(({ pid }) => pid === owner.pid);
  const alive = row !== undefined && !row.ended && Math.abs(row.startedAt - owner.startedAt) < SAME_MS;
  return alive ? undefined : { mark: owner.mark };
}

function parse(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Written by writeOwner; one that was cut off has no mark.
    return typeof value === "object" && value !== null && "mark" in value ? (value as Owner) : undefined;
  } catch {
    return undefined;
  }
}
