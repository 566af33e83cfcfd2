// `proctor goal plan`, `route`, `rerun`, `diff` and `export`.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { TaskChange, TaskDiff } from "../../../core/goal.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { parsePairs } from "../key-values.ts";
import { findGoal } from "./find-goal.ts";
import type { DiffFlags, ExportGoalFlags, PlanFlags, RerunFlags, RouteFlags } from "./flags.ts";
import { readJsonFlag } from "./goal-request.ts";
import { routeLines } from "./preview-lines.ts";
import { watchGoal } from "./run-goal.ts";

export function printPlan(reference: string, flags: PlanFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async (session) => {
    const plan = await session.platform.goals.plan(await findGoal(session, reference));
    createScreen(context.io).printJson(plan);
    return 0;
  });
}

export async function routeTask(flags: RouteFlags, context: CommandContext): Promise<number> {
  const { capability, agent, version } = flags;
  if (capability === undefined && agent === undefined)
    throw new ProctorError(
      "USAGE",
      "--capability or --agent is missing\nfor example: proctor goal route --capability search",
    );
  const input =
    flags.input === undefined ? undefined : await readJsonFlag("--input", flags.input, context.io);
  return withHub(context, flags, "read", async ({ platform }) => {
    const decision = await platform.goals.route({
      ...(capability !== undefined && { capability }),
      ...(agent !== undefined && { agent }),
      ...(version !== undefined && { version }),
      ...(input !== undefined && { input }),
    });
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(decision);
    else screen.print(...routeLines(decision, screen));
    return decision.agent === null ? 1 : 0;
  });
}

export async function rerunGoal(
  reference: string,
  flags: RerunFlags,
  context: CommandContext,
): Promise<number> {
  const changes = await changesOf(flags, context);
  return withHub(context, flags, "write", async (session) => {
    const { goal } = await session.platform.goals.rerun(await findGoal(session, reference), {
      ...(flags.from && { from: flags.from }),
      ...(Object.keys(changes).length > 0 && { changes }),
    });
    return watchGoal(goal, flags, session, context);
  });
}

async function changesOf(
  { agent = [], input = [] }: RerunFlags,
  { io }: CommandContext,
): Promise<Record<string, TaskChange>> {
  const changes = new Map<string, TaskChange>();
  for (const [task, name] of Object.entries(parsePairs("--agent", agent))) changes.set(task, { agent: name });
  for (const [task, text] of Object.entries(parsePairs("--input", input)))
    changes.set(task, { ...changes.get(task), input: await readJsonFlag("--input", text, io) });
  return Object.fromEntries(changes);
}

export function diffGoals(
  first: string,
  second: string,
  flags: DiffFlags,
  context: CommandContext,
): Promise<number> {
  return withHub(context, flags, "read", async (session) => {
    const ids = [await findGoal(session, first), await findGoal(session, second)] as const;
    const diff = await session.platform.goals.diff(...ids);
    const screen = createScreen(context.io);
    if (flags.json === true) {
      screen.printJson(diff);
      return 0;
    }
    const { paint, width } = screen;
    if (diff.tasks.length === 0) screen.print("they do not differ");
    else screen.print(...renderTable(DIFF_COLUMNS, diff.tasks, { width, paintTitle: paint.dim }));
    screen.print("", paint.dim(`${diff.equal} ${diff.equal === 1 ? "task does" : "tasks do"} not differ`));
    return 0;
  });
}

const DIFF_COLUMNS: Column<TaskDiff>[] = [
  { title: "TASK", cell: ({ key }) => key, minWidth: 6 },
  { title: "STATUS", cell: ({ status }) => arrow(status) },
  { title: "AGENT", cell: ({ agent }) => arrow(agent), minWidth: 8 },
  { title: "TRIES", cell: ({ attempts }) => arrow(attempts) },
  { title: "SECONDS", cell: ({ seconds }) => arrow(seconds) },
  {
    title: "OUTPUT",
    cell: ({ output }) => arrow(output.map((value) => JSON.stringify(value))),
    minWidth: 10,
  },
];

function arrow(pair: readonly (string | number | null | undefined)[]): string {
  const [before, after] = pair.map((value) => String(value ?? "–"));
  return before === after ? (before ?? "") : `${before} → ${after}`;
}

export function exportGoal(
  reference: string,
  flags: ExportGoalFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  return withHub(context, flags, "read", async (session) => {
    const suite = await session.platform.goals.exportSuite(await findGoal(session, reference), {
      ...(flags.task && { tasks: flags.task }),
      ...(flags.whole === true && { whole: true }),
    });
    if (flags.output === undefined) io.stdout.write(suite);
    else {
      await writeFile(resolve(io.cwd, flags.output), suite);
      createScreen(io).print(`written: ${flags.output}`, `run it: proctor test ${flags.output}`);
    }
    return 0;
  });
}
