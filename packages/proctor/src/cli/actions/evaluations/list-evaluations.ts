// `proctor evaluations list`.
import type { Evaluation } from "../../../core/evaluation.ts";
import { given } from "../../../core/given.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo, formatCost, formatCount } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListEvaluationsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;

export const listEvaluations = hubAction(
  "read",
  async ({ platform, screen }, flags: ListEvaluationsFlags) => {
    const { suite, agent, status, cursor, limit = DEFAULT_LIMIT, json } = flags;
    const page = await platform.evaluations.list(given({ suite, agent, status, cursor, limit }));
    printPage(screen, page, {
      json,
      none: ["no evaluations", "   make one: proctor test suites/"],
      columns: columns(screen.paint, Date.now()),
      command: "proctor evaluations list",
    });
  },
);

function columns(paint: Paint, nowMs: number): Column<Evaluation>[] {
  return [
    { title: "ID", cell: ({ id }) => id },
    {
      title: "STATUS",
      cell: ({ status }) => status,
      paint: (text, one) => paintEvaluation(paint, one)(text),
    },
    { title: "NAME", cell: ({ name }) => name, minWidth: 8 },
    { title: "AGENTS", cell: ({ agents }) => agents.join(", "), minWidth: 8 },
    { title: "PASSED", cell: ({ totals, planned }) => `${totals.passed}/${planned.cases}`, align: "right" },
    { title: "FAILED", cell: ({ totals }) => formatCount(totals.failed), align: "right" },
    {
      title: "COST",
      cell: ({ totals }) => (totals.cost_usd > 0 ? formatCost(totals.cost_usd) : ""),
      align: "right",
    },
    { title: "STARTED", cell: ({ started_at }) => formatAgo(started_at, nowMs) },
  ];
}

/** Green for what passed, red for what failed, yellow for what is not over or was cut off. */
export function paintEvaluation(
  paint: Paint,
  { status, exit_code }: Pick<Evaluation, "status" | "exit_code">,
): (text: string) => string {
  if (status !== "completed") return status === "running" ? paint.cyan : paint.yellow;
  return exit_code === 0 ? paint.green : paint.red;
}
