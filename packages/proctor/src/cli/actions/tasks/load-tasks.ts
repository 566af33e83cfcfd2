// Terminal tasks as the user named them: found, chosen, read. Everything that is wrong with them is said at once.
import { ProctorError } from "../../../core/errors.ts";
import { isLike } from "../../../core/is-like.ts";
import { findTasks, readTask, type FoundTask, type SkippedFolder } from "../../../tasks/find-tasks.ts";
import type { TerminalTask } from "../../../tasks/terminal-task.ts";
import { basename } from "node:path";

interface TaskChoice {
  only?: string[];
  exclude?: string[];
  skipUnsupported?: boolean;
}

export interface ReadTask {
  /** Name of the directory, or its path where several have that name. */
  name: string;
  found: FoundTask;
  task?: TerminalTask;
  /** Reason why the task cannot be read or run. */
  problem?: ProctorError;
}

interface ReadTasks {
  read: ReadTask[];
  /** Directories that were not searched. */
  skipped: SkippedFolder[];
}

/** Reads the tasks that pass the filters, which go by the name of a task's directory. */
export async function readTasks(
  paths: readonly string[],
  choice: TaskChoice,
  cwd: string,
): Promise<ReadTasks> {
  const all = await Promise.all(paths.map((path) => findTasks(path, cwd)));
  const found = once(all.flatMap(({ tasks }) => tasks));
  const chosen = found.filter((one) => isChosen(one, choice));
  if (chosen.length === 0) {
    throw new ProctorError("USAGE", "the filters leave no task\nsee what there is: proctor tasks list");
  }
  const names = namesOf(chosen);
  const read = await Promise.all(chosen.map((one) => readOne(one, names.get(one) ?? one.shown)));
  return { read, skipped: all.flatMap(({ skipped }) => skipped) };
}

export interface LoadedTasks {
  tasks: TerminalTask[];
  /** Tasks that cannot be run here. Empty without `--skip-unsupported`. */
  unsupported: (ReadTask & { problem: ProctorError })[];
  skipped: SkippedFolder[];
}

/** Throws TASK_INVALID with the problems of all, unless what cannot be run is to be skipped and something is left. */
export async function loadTasks(
  paths: readonly string[],
  choice: TaskChoice,
  cwd: string,
): Promise<LoadedTasks> {
  const { read, skipped } = await readTasks(paths, choice, cwd);
  const tasks = read.flatMap(({ task }) => (task ? [task] : []));
  const unsupported = read.flatMap((one) => (one.problem ? [{ ...one, problem: one.problem }] : []));
  if (unsupported.length > 0 && (choice.skipUnsupported !== true || tasks.length === 0)) {
    const hint =
      tasks.length > 0
        ? `\n   run the other ${tasks.length} with --skip-unsupported, or leave out some with --exclude <name>`
        : "";
    const problems = unsupported.map(({ problem }) => problem.message);
    throw new ProctorError("TASK_INVALID", `${problems.join("\n")}${hint}`);
  }
  return { tasks, unsupported, skipped };
}

async function readOne(found: FoundTask, name: string): Promise<ReadTask> {
  try {
    return { name, found, task: { ...(await readTask(found)), name } };
  } catch (error) {
    if (ProctorError.is(error)) return { name, found, problem: error };
    throw error;
  }
}

/** Removes duplicates: a directory that was named twice is one task. */
function once(found: readonly FoundTask[]): FoundTask[] {
  const byDir = new Map(found.toReversed().map((one) => [one.dir, one]));
  return found.filter((one) => byDir.get(one.dir) === one);
}

/** Returns the name of each task; tasks of the same name are told apart by their paths. */
function namesOf(found: readonly FoundTask[]): ReadonlyMap<FoundTask, string> {
  const counts = new Map<string, number>();
  for (const { dir } of found) counts.set(basename(dir), (counts.get(basename(dir)) ?? 0) + 1);
  return new Map(
    found.map((one) => [one, counts.get(basename(one.dir)) === 1 ? basename(one.dir) : one.shown]),
  );
}

function isChosen({ dir, shown }: FoundTask, { only = [], exclude = [] }: TaskChoice): boolean {
  const matches = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => isLike(basename(dir), pattern) || isLike(shown, pattern));
  return (only.length === 0 || matches(only)) && !matches(exclude);
}
