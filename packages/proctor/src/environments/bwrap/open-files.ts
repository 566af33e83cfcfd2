// The files of open environments, for those that are opened over them.
import { readlinkSync, statfsSync } from "node:fs";
import type { EnvironmentFacts } from "../../core/environment.ts";
import { listProcesses } from "../../runtime/processes/process-table.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { isSystemDirectory } from "../system/system-directories.ts";
import type { RootPlan } from "./environment-dir.ts";
import type { Keeper } from "./keeper.ts";
import type { Machine } from "./machine.ts";
import type { UpperListing, UpperReader } from "./upper-reader.ts";

interface OpenFiles {
  keeper: Keeper;
  reader: UpperReader;
  /** The layers below, the topmost first. */
  lower: readonly string[];
  /** The absolute path of what was written, as the keeper sees it. */
  upper: string;
  /** Path on the file system of `upper`, as seen from this process. */
  disk: string;
}

/** Files that no process writes any more, ready to be a layer of another environment. */
interface StillFiles {
  files: OpenFiles;
  listing: UpperListing;
}

/** Open files by the facts of their environment, which stay the same object where the environment is wrapped. */
const open = new WeakMap<EnvironmentFacts, OpenFiles>();

export function rememberFiles(facts: EnvironmentFacts, files: OpenFiles): void {
  open.set(facts, files);
}

/**
 * Undefined when they have to be copied: something still runs there and may write, the root is another one, only a part is wanted, or
 * the system is not put back or lacks a directory.
 */
export async function stillFiles(
  { root }: Machine,
  { over, only, untracked, restoreSystem }: PreparedEnvironment,
  { lower }: RootPlan,
): Promise<StillFiles | undefined> {
  const files = over && open.get(over.facts);
  if (files === undefined || !root || only !== undefined || untracked !== true) return undefined;
  // Unrestored system files are copied, because the keeper itself starts programs of the environment.
  if (restoreSystem !== true) return undefined;
  if (files.lower.join("\0") !== lower.join("\0") || !(await isStill(files.keeper))) return undefined;
  const listing = await files.reader.list();
  const isBroken = [...listing.entries.values()].some(
    ({ path, type }) => isSystemDirectory(path) && (type !== "directory" || listing.opaque.has(path)),
  );
  return isBroken ? undefined : { files, listing };
}

/** Whether no program runs there; none is started after the last one has ended, so that this stays true. */
async function isStill({ inner }: Keeper): Promise<boolean> {
  const space = processSpace(inner);
  if (space === undefined) return false;
  const rows = await listProcesses();
  return !rows.some(({ pid, ended }) => !ended && pid !== inner && processSpace(pid) === space);
}

function processSpace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Bytes below which a file system counts as full. */
const ROOM_BYTES = 64 * 1024;

/** Whether the file system of the files underneath is full. */
export function isFull(over: PreparedEnvironment["over"]): boolean {
  const files = over && open.get(over.facts);
  if (files === undefined) return false;
  try {
    const { bfree, bsize, ffree, files: inodes } = statfsSync(files.disk);
    return bfree * bsize < ROOM_BYTES || (inodes > 0 && ffree === 0);
  } catch {
    return false;
  }
}
