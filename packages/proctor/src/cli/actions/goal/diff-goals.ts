// `proctor goal diff`.
import type { TaskDiff } from "../../../core/goal.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { findGoal } from "./find-goal.ts";
import type { DiffFlags } from "./flags.ts";

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
