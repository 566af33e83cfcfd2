// `proctor goal list`.
import { given } from "../../../core/given.ts";
import type { Goal } from "../../../core/goal.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { paintStatus } from "../../terminal/paint.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListGoalsFlags } from "./flags.ts";

export const listGoals = hubAction("read", async ({ platform: { goals }, screen }, flags: ListGoalsFlags) => {
  const { paint } = screen;
  const { limit, cursor, json } = flags;
  const columns: Column<Goal>[] = [
    { title: "GOAL", cell: ({ id }) => id },
    {
      title: "STATUS",
      cell: ({ status }) => status,
      paint: (text, { status }) => paintStatus(paint, status)(text),
    },
    {
      title: "DONE",
      cell: ({ counts }) => `${counts.completed}/${sumOf(counts)}`,
      align: "right",
    },
    { title: "RUNS", cell: ({ spent }) => `${Math.max(0, spent.runs - 1)}`, align: "right" },
    { title: "WHAT", cell: ({ goal }) => goal, minWidth: 10 },
    { title: "CREATED", cell: ({ created_at }) => formatAgo(created_at, Date.now()) },
  ];
  printPage(screen, await goals.list(given({ limit, cursor })), {
    json,
    none: ["no goal yet", paint.dim("start one: proctor goal plan.yaml")],
    columns,
    command: "proctor goal list",
  });
});

function sumOf(counts: Goal["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
