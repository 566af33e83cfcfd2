// `proctor goal list`.
import type { Goal } from "../../../core/goal.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { paintStatus } from "../../terminal/paint.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import type { ListGoalsFlags } from "./flags.ts";

export function listGoals(flags: ListGoalsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform: { goals } }) => {
    const screen = createScreen(context.io);
    const { limit, cursor } = flags;
    const page = await goals.list({
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    });
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      screen.print("no goal yet", screen.paint.dim("start one: proctor goal plan.yaml"));
      return 0;
    }
    const { paint, width } = screen;
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
    screen.print(...renderTable(columns, page.items, { width, paintTitle: paint.dim }));
    if (page.next_cursor !== null)
      screen.print("", paint.dim(`more: proctor goal list --cursor ${page.next_cursor}`));
    return 0;
  });
}

function sumOf(counts: Goal["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
