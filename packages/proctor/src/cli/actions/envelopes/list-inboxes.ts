// `proctor messages inboxes`.
import type { InboxState } from "../../../core/ports/messages.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import type { InboxesFlags } from "./flags.ts";

export function listInboxes(flags: InboxesFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform: { messages } }) => {
    const screen = createScreen(context.io);
    const { limit, cursor } = flags;
    const page = await messages.inboxes({
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    });
    const { paint, width } = screen;
    if (flags.json === true) screen.printJson(page);
    else if (page.items.length === 0) screen.print("every inbox is empty");
    else screen.print(...renderTable(columns(Date.now()), page.items, { width, paintTitle: paint.dim }));
    if (flags.json !== true && page.next_cursor !== null)
      screen.print("", paint.dim(`more: proctor messages inboxes --cursor ${page.next_cursor}`));
    return 0;
  });
}

function columns(nowMs: number): Column<InboxState>[] {
  return [
    { title: "FOR", cell: ({ receiver }) => receiver, minWidth: 8 },
    { title: "WAITING", cell: ({ waiting }) => `${waiting}`, align: "right" },
    { title: "BYTES", cell: ({ bytes }) => `${bytes}`, align: "right" },
    { title: "OLDEST", cell: ({ oldest_at }) => (oldest_at === null ? "" : formatAgo(oldest_at, nowMs)) },
  ];
}
