// Tasks in directories: a directory that is one, or one that holds them, at most two levels down.
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProctorError } from "../core/errors.ts";
import { readHarbor } from "./harbor/read-harbor.ts";
import { readTerminalBench } from "./terminal-bench/read-terminal-bench.ts";
import type { TaskFormat, TerminalTask } from "./terminal-task.ts";

export interface FoundTask {
  /** Absolute. */
  dir: string;
  /** As it was given. */
  shown: string;
  format: TaskFormat;
}

const MARKS: readonly (readonly [string, TaskFormat])[] = [
  ["task.toml", "harbor"],
  ["task.yaml", "terminal-bench"],
];
const DEPTH = 2;

/** By name. Throws TASK_INVALID where there is none. */
export async function findTasks(path: string, cwd: string): Promise<FoundTask[]> {
  const dir = resolve(cwd, path);
  const found = await stat(dir).catch(() => undefined);
  if (!found?.isDirectory()) {
    const what = found ? "is no directory" : "is not there";
    throw new ProctorError(
      "TASK_INVALID",
      `${path}  ${what}\n   name a task's directory, or one that holds several`,
    );
  }
  const tasks = await search(dir, path, DEPTH);
  if (tasks.length > 0) return tasks;
  const next = `a task's directory has a ${MARKS.map(([name]) => name).join(" or a ")}`;
  throw new ProctorError("TASK_INVALID", `${path}  there is no task in it\n   ${next}`);
}

export function readTask({ dir, shown, format }: FoundTask): Promise<TerminalTask> {
  return format === "harbor" ? readHarbor(dir, shown) : readTerminalBench(dir, shown);
}

async function search(dir: string, shown: string, depth: number): Promise<FoundTask[]> {
  const names = await readdir(dir, { withFileTypes: true });
  for (const [mark, format] of MARKS) {
    if (names.some((entry) => entry.isFile() && entry.name === mark)) return [{ dir, shown, format }];
  }
  if (depth === 0) return [];
  const folders = names.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const found = await Promise.all(
    folders
      .map(({ name }) => name)
      .sort()
      .map((name) => search(join(dir, name), join(shown, name), depth - 1)),
  );
  return found.flat();
}
