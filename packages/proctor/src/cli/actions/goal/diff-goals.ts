// `proctor goal diff`.
import type { TaskDiff } from "../../../core/goal.ts";
import { hubAction } from "../hub-action.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { findGoal } from "./find-goal.ts";
import type { DocumentFlags } from "../../flags.ts";

export const diffGoals = hubAction(
  "read",
  async (session, first: string, second: string, flags: DocumentFlags) => {
    const { screen } = session;
    const ids = [await findGoal(session, first), await findGoal(session, second)] as const;
    const diff = await session.platform.goals.diff(...ids);
    if (flags.json === true) return screen.printJson(diff);
    const { paint, width } = screen;
    if (diff.tasks.length === 0) screen.print("they do not differ");
    else screen.print(...renderTable(DIFF_COLUMNS, diff.tasks, { width, paintTitle: paint.dim }));
    screen.print("", paint.dim(`${diff.equal} ${diff.equal === 1 ? "task does" : "tasks do"} not differ`));
  },
);

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
