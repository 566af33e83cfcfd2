// `proctor tasks list`: what is there, and what is wrong with it.
import type { JsonObject } from "../../../core/json.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { ListTasksFlags } from "./flags.ts";
import { loadHubConfig, type CommandContext } from "../../compose/compose.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import type { TerminalTask } from "../../../tasks/terminal-task.ts";
import { formatDuration } from "../../terminal/amounts.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import { environmentOf } from "../environment-flags.ts";
import { installLine, missingPackages, planEnvironments } from "./plan-environments.ts";
import { readTasks, type ReadTask } from "./load-tasks.ts";
import { warnOfOthers } from "./warn-of-others.ts";

export async function listTasks(
  paths: readonly string[],
  flags: ListTasksFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const screen = createScreen(io);
  const { read: found, skipped } = await readTasks(paths, flags, io.cwd);
  const read = flags.plan === true ? await planned(found, flags, context) : found;
  const missing = missingPackages(read.flatMap(({ problem }) => problem ?? []));
  if (flags.json === true)
    screen.printJson({
      items: read.map(documentOf),
      skipped: skipped.map((one) => ({ ...one })),
      ...(flags.plan === true && { missing }),
    });
  else {
    printTable(read, screen);
    for (const one of missing) screen.print(installLine(one));
    warnOfOthers({ unsupported: [], skipped }, io);
  }
  return read.some(({ problem }) => problem) ? 2 : 0;
}

/** Adds the reason to tasks whose environment cannot be made on this machine. */
async function planned(
  read: readonly ReadTask[],
  flags: ListTasksFlags,
  context: CommandContext,
): Promise<ReadTask[]> {
  const { io, composition } = context;
  const tasks = read.flatMap(({ task }) => (task ? [task] : []));
  const options = environmentOf(flags);
  const environments = await composition.openEnvironments(await loadHubConfig(context, flags));
  let done = 0;
  const live = createLiveLine(io.stderr, () => `${done} of ${tasks.length} environments built`);
  try {
    const deps = { environments, options, done: () => void (done += 1), signal: io.signal };
    const problems = await planEnvironments(tasks, deps);
    return read.map((one): ReadTask => {
      const problem = one.task && problems.get(one.task);
      if (!problem) return one;
      const { code, message, details } = problem;
      return {
        ...one,
        problem: new ProctorError(code, `${one.name}  ${message}`, details === undefined ? {} : { details }),
      };
    });
  } finally {
    live.stop();
    await environments.close();
  }
}

function documentOf({ name, found, task, problem }: ReadTask): JsonObject {
  return {
    name,
    dir: found.shown,
    format: found.format,
    ...(task && {
      instruction: task.instruction,
      tags: task.tags,
      metadata: task.metadata,
      timeout_seconds: task.timeoutSeconds,
      has_solution: task.solution !== undefined,
    }),
    problem: problem?.message ?? null,
  };
}

function printTable(read: readonly ReadTask[], screen: Screen): void {
  const { paint, width } = screen;
  const tasks = read.flatMap(({ task }) => (task ? [task] : []));
  if (tasks.length > 0) screen.print(...renderTable(COLUMNS, tasks, { width, paintTitle: paint.dim }));
  for (const { problem } of read) if (problem) screen.print("", paint.red(problem.message));
  const wrong = read.filter(({ problem }) => problem).length;
  const able = read.length - wrong;
  screen.print(
    "",
    `${able} ${able === 1 ? "task" : "tasks"}${wrong > 0 ? `, ${wrong} cannot be run here` : ""}`,
  );
}

const COLUMNS: Column<TerminalTask>[] = [
  { title: "TASK", cell: ({ name }) => name, minWidth: 16 },
  { title: "FORMAT", cell: ({ format }) => format },
  { title: "DIFFICULTY", cell: ({ metadata }) => textOf(metadata["difficulty"]) },
  { title: "TIME", cell: ({ timeoutSeconds }) => formatDuration(timeoutSeconds * 1000), align: "right" },
  { title: "INSTRUCTION", cell: ({ instruction }) => oneLine(instruction).slice(0, 200), minWidth: 20 },
];

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
