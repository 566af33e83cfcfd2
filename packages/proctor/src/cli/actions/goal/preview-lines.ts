// What a goal would do, as lines for people.
import type { PlanPreview, RouteDecision } from "../../../core/goal.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";

interface Row {
  task: string;
  route: RouteDecision;
}

const COLUMNS: Column<Row>[] = [
  { title: "TASK", cell: ({ task }) => task, minWidth: 6 },
  { title: "AGENT", cell: ({ route }) => route.agent ?? "nobody", minWidth: 6 },
  { title: "WHY", cell: ({ route }) => route.reason ?? route.by, minWidth: 10 },
];

export function previewLines({ plan, problems, routes }: PlanPreview, { paint, width }: Screen): string[] {
  if (plan === null) return ["an agent would plan this: there is nothing to see before it has"];
  const rows = Object.entries(routes).map(([task, route]) => ({ task, route }));
  return [
    `${plan.tasks.length} ${plan.tasks.length === 1 ? "task" : "tasks"}`,
    "",
    ...renderTable(COLUMNS, rows, { width, paintTitle: paint.dim }),
    ...problems.map(({ path, message }) => `${paint.red("✗")} ${oneLine(path)}: ${oneLine(message)}`),
  ];
}

/** Returns a line for each agent that was considered for one task. */
export function routeLines(route: RouteDecision, { paint, width }: Screen): string[] {
  const head = route.agent === null ? paint.red("nobody") : paint.bold(oneLine(route.agent));
  const parts = (each: Record<string, number>): string =>
    Object.entries(each)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
  const candidates = renderTable(
    [
      { title: "CANDIDATE", cell: ({ agent }) => agent, minWidth: 8 },
      { title: "SCORE", cell: ({ score }) => `${score}`, align: "right" },
      { title: "PARTS", cell: (candidate) => parts(candidate.parts), minWidth: 10 },
    ],
    route.candidates,
    { width, paintTitle: paint.dim },
  );
  return [
    `${head}  ${oneLine(route.reason ?? route.by)}`,
    ...(route.candidates.length > 0 ? candidates : []),
    ...route.rejected.map(
      ({ agent, reason }) => `${paint.yellow("✗")} ${oneLine(agent)}: ${oneLine(reason)}`,
    ),
    ...(route.refused > route.rejected.length
      ? [paint.dim(`${route.refused - route.rejected.length} more were refused`)]
      : []),
  ];
}
