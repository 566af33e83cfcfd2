// `proctor approvals list`: everything that waits for a person.
import { quoteWord } from "../../../core/command-line.ts";
import { given } from "../../../core/given.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import { hubAction } from "../hub-action.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import { expiry, questionCell } from "../runs/list-questions.ts";
import type { ListApprovalsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;

export const listApprovals = hubAction("read", async ({ hub, screen }, flags: ListApprovalsFlags) => {
  const { goal, agent, kind, all, limit = DEFAULT_LIMIT, cursor, json } = flags;
  const page = await hub.questions({
    ...given({ limit, goal, agent, kind, cursor }),
    ...(all !== true && { audience: "human" as const }),
  });
  printPage(screen, page, {
    json,
    none: ["nothing waits for a person"],
    columns: columns(Date.now()),
    command: commandOf(flags),
    next: "decide: proctor approvals show|approve|reject <run> [question]",
  });
});

/** A cursor counts only with the filters that it came from. */
function commandOf({ goal, agent, kind, all, limit }: ListApprovalsFlags): string {
  const words = Object.entries({ goal, agent, kind, limit: limit?.toString() }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteWord(value)],
  );
  return ["proctor approvals list", ...words, ...(all === true ? ["--all"] : [])].join(" ");
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
