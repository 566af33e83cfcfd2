// `proctor goal show` and `plan`.
import type { Goal, Subtask } from "../../../core/goal.ts";
import type { Goals } from "../../../core/ports/goals.ts";
import { hubAction } from "../hub-action.ts";
import { formatCost, formatCount, formatDuration } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { paintStatus } from "../../terminal/paint.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import { findGoal } from "./find-goal.ts";
import type { ShowGoalFlags } from "./flags.ts";
import { routeLines } from "./preview-lines.ts";
import type { DocumentFlags } from "../../flags.ts";

const PAGE = 1000;
const MAX_SHOWN = 500;

export const showGoal = hubAction("read", async (session, reference: string, flags: ShowGoalFlags) => {
  const { screen } = session;
  const { goals } = session.platform;
  const goal = await goals.get(await findGoal(session, reference));
  const subtasks = await readSubtasks(goals, goal.id);
  if (flags.json === true) return screen.printJson({ goal, subtasks });
  screen.print(...headLines(goal, screen));
  screen.print("", ...tableLines(subtasks.slice(0, MAX_SHOWN), screen));
  if (subtasks.length > MAX_SHOWN)
    screen.print(screen.paint.dim(`${subtasks.length - MAX_SHOWN} more: --json`));
  if (flags.why === true)
    for (const subtask of subtasks.slice(0, MAX_SHOWN)) screen.print(...whyLines(subtask, screen));
});

async function readSubtasks(goals: Goals, id: string): Promise<Subtask[]> {
  const all: Subtask[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await goals.subtasks(id, { limit: PAGE, ...(cursor !== "" && { cursor }) });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

function headLines(goal: Goal, { paint }: Screen): string[] {
  const { id, status, spent, failure, questions, plan, started_at: started, ended_at: ended } = goal;
  const took =
    started === null ? undefined : Date.parse(ended ?? new Date().toISOString()) - Date.parse(started);
  const facts = [
    plan && `${plan.tasks} tasks by ${plan.source === "agent" ? "an agent" : plan.source}`,
    `${formatCount(Math.max(0, spent.runs - 1))} runs`,
    spent.total_tokens > 0 && `${formatCount(spent.total_tokens)} tokens`,
    spent.cost_usd > 0 && formatCost(spent.cost_usd),
    took !== undefined && formatDuration(took),
  ];
  return [
    `${paintStatus(paint, status)(status)}  ${paint.bold(oneLine(goal.goal))}`,
    paint.dim([id, ...facts.filter(Boolean)].join(" · ")),
    ...(failure ? [`${paint.red(failure.code)} ${oneLine(failure.message)}`] : []),
    ...questions.map(
      ({ id: question }) => `${paint.yellow("?")} waits: proctor runs answer ${id} ${question}`,
    ),
  ];
}

function tableLines(subtasks: readonly Subtask[], { paint, width }: Screen): string[] {
  const columns: Column<Subtask>[] = [
    { title: "TASK", cell: ({ key }) => key, minWidth: 6 },
    {
      title: "STATUS",
      cell: ({ status }) => status,
      paint: (text, { status }) => colourOf(status, paint)(text),
    },
    { title: "AGENT", cell: ({ attempts }) => attempts.at(-1)?.agent ?? "", minWidth: 6 },
    { title: "TRIES", cell: ({ attempts }) => `${attempts.length}`, align: "right" },
    { title: "RUN", cell: ({ attempts, output_run_id: run }) => run ?? attempts.at(-1)?.run_id ?? "" },
    { title: "WHY", cell: ({ reason }) => reason ?? "", minWidth: 8 },
  ];
  return renderTable(columns, subtasks, { width, paintTitle: paint.dim });
}

function colourOf(status: Subtask["status"], paint: Screen["paint"]): (text: string) => string {
  if (status === "completed") return paint.green;
  if (status === "failed") return paint.red;
  return status === "running" || status === "reviewing" ? paint.cyan : paint.dim;
}

function whyLines({ key, attempts }: Subtask, screen: Screen): string[] {
  return attempts.flatMap(({ number, route, reviews, stop_ms: stop }) => [
    "",
    screen.paint.bold(`${key}, attempt ${number}`),
    ...(route ? routeLines(route, screen).map((line) => `  ${line}`) : []),
    ...reviews.map(({ by, verdict, trouble }) => `  review by ${by}: ${verdict ?? `none, ${trouble ?? ""}`}`),
    ...(stop === undefined ? [] : [`  stopped after ${stop} ms`]),
  ]);
}

export const printPlan = hubAction("read", async (session, reference: string, _flags: DocumentFlags) => {
  const plan = await session.platform.goals.plan(await findGoal(session, reference));
  session.screen.printJson(plan);
});
