// `proctor approvals list`: everything that waits for a person.
import { quoteWord } from "../../../core/command-line.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { expiry, questionCell } from "../runs/list-questions.ts";
import type { ListApprovalsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;

export function listApprovals(flags: ListApprovalsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const screen = createScreen(context.io);
    const { goal, agent, kind, all, limit = DEFAULT_LIMIT, cursor } = flags;
    const page = await hub.questions({
      limit,
      ...(all !== true && { audience: "human" as const }),
      ...(goal !== undefined && { goal }),
      ...(agent !== undefined && { agent }),
      ...(kind !== undefined && { kind }),
      ...(cursor !== undefined && { cursor }),
    });
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      screen.print("nothing waits for a person");
      return 0;
    }
    const { paint, width } = screen;
    screen.print(...renderTable(columns(Date.now()), page.items, { width, paintTitle: paint.dim }));
    const more = page.next_cursor === null ? [] : [`more: ${nextPage(flags, page.next_cursor)}`];
    const next = "decide: proctor approvals show|approve|reject <run> [question]";
    screen.print("", ...[next, ...more].map(paint.dim));
    return 0;
  });
}

/** A cursor counts only with the filters that it came from. */
function nextPage({ goal, agent, kind, all, limit }: ListApprovalsFlags, cursor: string): string {
  const words = Object.entries({ goal, agent, kind, limit: limit?.toString() }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteWord(value)],
  );
  return ["proctor approvals list", ...words, ...(all === true ? ["--all"] : []), "--cursor", cursor].join(
    " ",
  );
}

function columns(nowMs: number): Column<OpenQuestion>[] {
  return [
    { title: "RUN", cell: ({ run_id }) => run_id },
    { title: "ID", cell: ({ question }) => question.id, minWidth: 4 },
    { title: "GOAL", cell: ({ goal }) => goal?.title ?? "", minWidth: 6 },
    { title: "AGENT", cell: ({ agent }) => agent, minWidth: 6 },
    { title: "QUESTION", cell: questionCell, minWidth: 8 },
    { title: "EXPIRES", cell: ({ question }) => expiry(question.expires_at, nowMs) },
  ];
}
