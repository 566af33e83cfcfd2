// `proctor messages inboxes`.
import { given } from "../../../core/given.ts";
import type { InboxState } from "../../../core/ports/messages.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import type { InboxesFlags } from "./flags.ts";

export function listInboxes(flags: InboxesFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform: { messages } }) => {
    const { limit, cursor, json } = flags;
    printPage(createScreen(context.io), await messages.inboxes(given({ limit, cursor })), {
      json,
      none: ["every inbox is empty"],
      columns: columns(Date.now()),
      command: "proctor messages inboxes",
    });
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
