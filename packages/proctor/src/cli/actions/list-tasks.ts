// `proctor tasks list`: what is there, and what is wrong with it.
import type { JsonObject } from "../../core/json.ts";
import type { TaskFlags } from "../commands/tasks.ts";
import type { CommandContext } from "../context.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";
import type { TerminalTask } from "../../tasks/terminal-task.ts";
import { formatDuration } from "../terminal/amounts.ts";
import { renderTable, type Column } from "../terminal/table.ts";
import { oneLine } from "../terminal/text.ts";
import { readTasks, type ReadTask } from "./load-tasks.ts";

export async function listTasks(
  paths: readonly string[],
  flags: TaskFlags,
  { io }: CommandContext,
): Promise<number> {
  const screen = createScreen(io);
  const read = await readTasks(paths, flags, io.cwd);
  if (flags.json === true) screen.printJson({ items: read.map(documentOf) });
  else printTable(read, screen);
  return read.some(({ problem }) => problem) ? 2 : 0;
}

function documentOf({ found, task, problem }: ReadTask): JsonObject {
  return {
    dir: found.shown,
    format: found.format,
    ...(task && {
      name: task.name,
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
  const wrong = read.length - tasks.length;
  screen.print(
    "",
    `${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}${wrong > 0 ? `, ${wrong} cannot be run here` : ""}`,
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
