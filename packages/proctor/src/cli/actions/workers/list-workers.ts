// `proctor workers list`.
import type { Worker } from "../../../core/worker.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListWorkersFlags } from "./flags.ts";
import { workerState } from "./worker-lines.ts";

export function listWorkers(flags: ListWorkersFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    printPage(createScreen(context.io), await platform.workers.list(), {
      json: flags.json,
      none: ["no workers", "   start one: proctor worker"],
      columns: columns(Date.now()),
      command: "proctor workers list",
    });
    return 0;
  });
}

function columns(nowMs: number): Column<Worker>[] {
  return [
    { title: "ID", cell: ({ id }) => id },
    { title: "STATE", cell: workerState },
    { title: "BUSY", cell: ({ busy, slots }) => `${busy}/${slots}` },
    { title: "LABELS", cell: ({ labels }) => labels.join(","), minWidth: 8 },
    { title: "VERSION", cell: ({ version }) => version },
    { title: "SEEN", cell: ({ seen_at }) => formatAgo(seen_at, nowMs) },
  ];
}
