// `proctor runs questions`.
import { given } from "../../../core/given.ts";
import { textOf } from "../../../core/message.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatDuration } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import type { QuestionsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;
const MAX_CELL_CHARS = 500;

export function listQuestions(flags: QuestionsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const { kind, audience, agent, conversation, cursor, limit = DEFAULT_LIMIT, json } = flags;
    const filters = given({ kind, audience, agent, conversation });
    const page = await hub.questions({ ...given({ limit, cursor }), ...filters });
    printPage(createScreen(context.io), page, {
      json,
      none: [Object.keys(filters).length > 0 ? "no such questions" : "no run waits for an answer"],
      columns: columns(Date.now()),
      command: "proctor runs questions",
      next: "answer: proctor runs answer <run> [question]",
    });
    return 0;
  });
}

function columns(nowMs: number): Column<OpenQuestion>[] {
  return [
    { title: "RUN", cell: ({ run_id }) => run_id },
    { title: "ID", cell: ({ question }) => question.id, minWidth: 4 },
    { title: "KIND", cell: ({ question }) => question.kind },
    { title: "AGENT", cell: ({ agent }) => agent, minWidth: 6 },
    { title: "QUESTION", cell: questionCell, minWidth: 8 },
    { title: "EXPIRES", cell: ({ question }) => expiry(question.expires_at, nowMs) },
  ];
}

export function questionCell({ question }: OpenQuestion): string {
  return textOf(question.parts).slice(0, MAX_CELL_CHARS);
}

export function expiry(expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs;
  return leftMs > 0 ? `in ${formatDuration(leftMs)}` : "now";
}
