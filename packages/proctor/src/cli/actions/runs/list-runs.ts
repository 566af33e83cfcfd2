// `proctor runs list`.
import type { Run } from "../../../core/run.ts";
import type { ListRunsFlags } from "./flags.ts";
import { findEvaluation } from "../evaluations/find-evaluation.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo, formatCount, formatDuration } from "../../terminal/amounts.ts";
import { paintStatus, type Paint } from "../../terminal/paint.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";

const DEFAULT_LIMIT = 20;

export function listRuns(flags: ListRunsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub, platform }) => {
    const screen = createScreen(context.io);
    const page = await hub.runs({
      limit: flags.limit ?? DEFAULT_LIMIT,
      ...(flags.cursor !== undefined && { cursor: flags.cursor }),
      ...(flags.status !== undefined && { status: flags.status }),
      ...(flags.agent !== undefined && { agent: flags.agent }),
      ...(flags.text !== undefined && { text: flags.text }),
      ...(flags.evaluation !== undefined && {
        evaluation: (await findEvaluation(platform.evaluations, flags.evaluation)).id,
      }),
    });
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      const filtered = [flags.status, flags.agent, flags.text, flags.evaluation].some(
        (each) => each !== undefined,
      );
      screen.print(filtered ? "no such runs" : `no runs yet\n   start one: proctor run --agent … --task "…"`);
      return 0;
    }
    const { paint, width } = screen;
    screen.print(...renderTable(runColumns(paint, Date.now()), page.items, { width, paintTitle: paint.dim }));
    if (page.next_cursor !== null) {
      screen.print("", paint.dim(`more: proctor runs list --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

function runColumns(paint: Paint, nowMs: number): Column<Run>[] {
  return [
    { title: "ID", cell: (run) => run.id },
    {
      title: "STATUS",
      cell: (run) => run.status,
      paint: (text, run) => paintStatus(paint, run.status)(text),
    },
    { title: "AGENT", cell: (run) => run.agent, minWidth: 8 },
    { title: "TASK", cell: (run) => run.task.description.slice(0, 500), minWidth: 8 },
    { title: "TOOK", cell: (run) => took(run, nowMs), align: "right" },
    {
      title: "TOKENS",
      cell: ({ metrics }) => (metrics.total_tokens === undefined ? "" : formatCount(metrics.total_tokens)),
      align: "right",
    },
    { title: "CREATED", cell: (run) => formatAgo(run.created_at, nowMs) },
  ];
}

function took(run: Run, nowMs: number): string {
  if (run.started_at === null) return "";
  return formatDuration(
    (run.ended_at === null ? nowMs : Date.parse(run.ended_at)) - Date.parse(run.started_at),
  );
}
