// `proctor runs questions`.
import { given } from "../../../core/given.ts";
import { textOf } from "../../../core/message.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import { hubAction } from "../hub-action.ts";
import { formatDuration } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { QuestionsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;
const MAX_CELL_CHARS = 500;

export const listQuestions = hubAction("read", async ({ hub, screen }, flags: QuestionsFlags) => {
  const { kind, audience, agent, conversation, cursor, limit = DEFAULT_LIMIT, json } = flags;
  const filters = given({ kind, audience, agent, conversation });
  const page = await hub.questions({ ...given({ limit, cursor }), ...filters });
  printPage(screen, page, {
    json,
    none: [Object.keys(filters).length > 0 ? "no such questions" : "no run waits for an answer"],
    columns: columns(Date.now()),
    command: "proctor runs questions",
    next: "answer: proctor runs answer <run> [question]",
  });
});

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
