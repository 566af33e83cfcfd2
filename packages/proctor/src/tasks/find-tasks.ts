// Tasks in directories: a directory that is one, or one that holds them, at any depth. Hidden directories and node_modules are not
// searched; whatever else is left out is said with its reason.
import { messageOf } from "../core/message-of.ts";
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProctorError } from "../core/errors.ts";
import { readHarbor } from "./harbor/read-harbor.ts";
import { readTerminalBench } from "./terminal-bench/read-terminal-bench.ts";
import type { TaskFormat, TerminalTask } from "./terminal-task.ts";

export interface FoundTask {
  /** Absolute path of the directory. */
  dir: string;
  /** The path as the user wrote it. */
  shown: string;
  format: TaskFormat;
}

interface FoundTasks {
  /** The tasks found, sorted by name. */
  tasks: FoundTask[];
  skipped: SkippedFolder[];
}

/** A directory that was not searched. */
export interface SkippedFolder {
  /** The path as the user wrote it. */
  shown: string;
  reason: string;
}

const MARKS: readonly (readonly [string, TaskFormat])[] = [
  ["task.toml", "harbor"],
  ["task.yaml", "terminal-bench"],
];
const MAX_DEPTH = 16;
/** Number of directories that are searched, because a link may lead to a whole disk. */
const MAX_FOLDERS = 100_000;

/** Throws TASK_INVALID where the path leads to no task. */
export async function findTasks(path: string, cwd: string): Promise<FoundTasks> {
  const dir = resolve(cwd, path);
  const found = await stat(dir).catch(() => undefined);
  if (!found?.isDirectory()) {
    const what = found ? "is no directory" : "is not there";
    throw new ProctorError(
      "TASK_INVALID",
      `${path}  ${what}\n   name a task's directory, or one that holds several`,
    );
  }
  const result: FoundTasks = { tasks: [], skipped: [] };
  await search({ dir, shown: path, depth: 0 }, new Map(), result);
  if (result.tasks.length > 0) return result;
  const next = `a task's directory has a ${MARKS.map(([name]) => name).join(" or a ")}`;
  const lines = result.skipped.map(({ shown, reason }) => `\n   not searched: ${shown}: ${reason}`);
  throw new ProctorError("TASK_INVALID", `${path}  there is no task in it\n   ${next}${lines.join("")}`);
}

export function readTask({ dir, shown, format }: FoundTask): Promise<TerminalTask> {
  return format === "harbor" ? readHarbor(dir, shown) : readTerminalBench(dir, shown);
}

interface Folder {
  dir: string;
  shown: string;
  depth: number;
}

/** `seen` maps the real paths of directories to the names under which they were first found. */
async function search(
  { dir, shown, depth }: Folder,
  seen: Map<string, string>,
  result: FoundTasks,
): Promise<void> {
  const skip = (reason: string): void => void result.skipped.push({ shown, reason });
  const real = await realpath(dir).catch(() => dir);
  const before = seen.get(real);
  if (before !== undefined) return skip(`it is the same directory as ${before}`);
  if (depth > MAX_DEPTH) return skip(`it is more than ${MAX_DEPTH} levels deep`);
  if (seen.size >= MAX_FOLDERS) return skip(`more than ${MAX_FOLDERS} directories were searched before it`);
  seen.set(real, shown);
  const names = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    skip(`it cannot be read: ${messageOf(error)}`);
    return [];
  });
  for (const [mark, format] of MARKS) {
    if (await hasFile(dir, names, mark)) {
      result.tasks.push({ dir, shown, format });
      return;
    }
  }
  for (const entry of names.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry;
    if (name.startsWith(".") || name === "node_modules" || !(await isDirectory(dir, entry))) continue;
    await search({ dir: join(dir, name), shown: join(shown, name), depth: depth + 1 }, seen, result);
  }
}

async function hasFile(dir: string, names: readonly Dirent[], mark: string): Promise<boolean> {
  const entry = names.find(({ name }) => name === mark);
  if (entry === undefined) return false;
  return entry.isFile() || (await stat(join(dir, mark)).catch(() => undefined))?.isFile() === true;
}

async function isDirectory(dir: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(join(dir, entry.name)).catch(() => undefined))?.isDirectory() === true;
}
