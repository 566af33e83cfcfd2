// Terminal tasks as the user named them: found, chosen, read. Everything that is wrong with them is said at once.
import { ProctorError } from "../../core/errors.ts";
import { findTasks, readTask, type FoundTask } from "../../tasks/find-tasks.ts";
import type { TerminalTask } from "../../tasks/terminal-task.ts";
import { basename } from "node:path";

export interface TaskChoice {
  only?: string[];
  exclude?: string[];
}

export interface ReadTask {
  found: FoundTask;
  task?: TerminalTask;
  /** Why it cannot be read. */
  problem?: ProctorError;
}

/** By name of its directory; of two with one name, the first counts and the other is a mistake. */
export async function readTasks(
  paths: readonly string[],
  choice: TaskChoice,
  cwd: string,
): Promise<ReadTask[]> {
  const found = (await Promise.all(paths.map((path) => findTasks(path, cwd)))).flat();
  const chosen = found.filter(({ dir }) => isChosen(basename(dir), choice));
  if (chosen.length === 0) {
    throw new ProctorError("USAGE", "the filters leave no task\nsee what there is: proctor tasks list");
  }
  refuseTwins(chosen);
  return Promise.all(chosen.map(readOne));
}

/** Throws TASK_INVALID with the problems of all. */
export async function loadTasks(
  paths: readonly string[],
  choice: TaskChoice,
  cwd: string,
): Promise<TerminalTask[]> {
  const read = await readTasks(paths, choice, cwd);
  const problems = read.flatMap(({ problem }) => (problem ? [problem.message] : []));
  if (problems.length > 0) {
    const hint = read.length > problems.length ? "\n   leave them out with --exclude <name>" : "";
    throw new ProctorError("TASK_INVALID", `${problems.join("\n")}${hint}`);
  }
  return read.flatMap(({ task }) => (task ? [task] : []));
}

async function readOne(found: FoundTask): Promise<ReadTask> {
  try {
    return { found, task: await readTask(found) };
  } catch (error) {
    if (ProctorError.is(error)) return { found, problem: error };
    throw error;
  }
}

function isChosen(name: string, { only = [], exclude = [] }: TaskChoice): boolean {
  const matches = (patterns: readonly string[]): boolean => patterns.some((pattern) => isLike(name, pattern));
  return (only.length === 0 || matches(only)) && !matches(exclude);
}

function isLike(name: string, pattern: string): boolean {
  const expression = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${expression}$`).test(name);
}

function refuseTwins(tasks: readonly FoundTask[]): void {
  const places = new Map<string, string>();
  for (const { dir, shown } of tasks) {
    const name = basename(dir);
    const other = places.get(name);
    if (other !== undefined) {
      throw new ProctorError(
        "USAGE",
        `two tasks have the name ${name}: ${other} and ${shown}\nrun them one after the other`,
      );
    }
    places.set(name, shown);
  }
}
