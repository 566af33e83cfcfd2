// `proctor messages inboxes`.
import { given } from "../../../core/given.ts";
import type { InboxState } from "../../../core/ports/messages.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { InboxesFlags } from "./flags.ts";

export const listInboxes = hubAction(
  "read",
  async ({ platform: { messages }, screen }, flags: InboxesFlags) => {
    const { limit, cursor, json } = flags;
    printPage(screen, await messages.inboxes(given({ limit, cursor })), {
      json,
      none: ["every inbox is empty"],
      columns: columns(Date.now()),
      command: "proctor messages inboxes",
    });
  },
);

function columns(nowMs: number): Column<InboxState>[] {
  return [
    { title: "FOR", cell: ({ receiver }) => receiver, minWidth: 8 },
    { title: "WAITING", cell: ({ waiting }) => `${waiting}`, align: "right" },
    { title: "BYTES", cell: ({ bytes }) => `${bytes}`, align: "right" },
    { title: "OLDEST", cell: ({ oldest_at }) => (oldest_at === null ? "" : formatAgo(oldest_at, nowMs)) },
  ];
}
