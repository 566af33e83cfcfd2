// `proctor runs list`.
import { given } from "../../../core/given.ts";
import type { Run } from "../../../core/run.ts";
import type { ListRunsFlags } from "./flags.ts";
import { findEvaluation } from "../evaluations/find-evaluation.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo, formatCount, formatDuration } from "../../terminal/amounts.ts";
import { paintStatus, type Paint } from "../../terminal/paint.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";

const DEFAULT_LIMIT = 20;

export const listRuns = hubAction("read", async ({ hub, platform, screen }, flags: ListRunsFlags) => {
  const { limit = DEFAULT_LIMIT, cursor, json, status, agent, text, order } = flags;
  const evaluation =
    flags.evaluation === undefined
      ? undefined
      : (await findEvaluation(platform.evaluations, flags.evaluation)).id;
  const filters = given({ status, agent, text, evaluation });
  const isFiltered = Object.keys(filters).length > 0;
  printPage(screen, await hub.runs({ ...given({ limit, cursor, order }), ...filters }), {
    json,
    none: isFiltered ? ["no such runs"] : ["no runs yet", `   start one: proctor run --agent … --task "…"`],
    columns: runColumns(screen.paint, Date.now()),
    command: "proctor runs list",
  });
});

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
