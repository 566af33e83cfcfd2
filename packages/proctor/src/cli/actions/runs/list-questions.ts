// `proctor runs questions`.
import { textOf } from "../../../core/message.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatDuration } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import type { QuestionsFlags } from "./flags.ts";

const DEFAULT_LIMIT = 20;
const MAX_CELL_CHARS = 500;

export function listQuestions(flags: QuestionsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const screen = createScreen(context.io);
    const { kind, audience, agent, conversation, cursor } = flags;
    const filters = {
      ...(kind !== undefined && { kind }),
      ...(audience !== undefined && { audience }),
      ...(agent !== undefined && { agent }),
      ...(conversation !== undefined && { conversation }),
    };
    const page = await hub.questions({
      limit: flags.limit ?? DEFAULT_LIMIT,
      ...(cursor !== undefined && { cursor }),
      ...filters,
    });
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      screen.print(Object.keys(filters).length > 0 ? "no such questions" : "no run waits for an answer");
      return 0;
    }
    const { paint, width } = screen;
    screen.print(...renderTable(columns(Date.now()), page.items, { width, paintTitle: paint.dim }));
    const more =
      page.next_cursor === null ? [] : [`more: proctor runs questions --cursor ${page.next_cursor}`];
    screen.print("", ...["answer: proctor runs answer <run> [question]", ...more].map(paint.dim));
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
