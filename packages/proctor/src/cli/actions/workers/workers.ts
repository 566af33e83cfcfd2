// `proctor workers list`, `show` and `drain`.
import type { Worker } from "../../../core/worker.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import { OPERATOR } from "../../../core/caller.ts";
import type { Paint } from "../../terminal/paint.ts";
import { field } from "../../terminal/run-summary.ts";
import type { DocumentFlags } from "../../flags.ts";

export const listWorkers = hubAction("read", async ({ platform, screen }, flags: DocumentFlags) => {
  printPage(screen, await platform.workers.list(), {
    json: flags.json,
    none: ["no workers", "   start one: proctor worker"],
    columns: columns(Date.now()),
    command: "proctor workers list",
  });
});

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

export const showWorker = hubAction(
  "read",
  async ({ platform, screen }, id: string, flags: DocumentFlags) => {
    const worker = await platform.workers.get(id);
    if (flags.json === true) screen.printJson(worker);
    else screen.print(...workerLines(worker, screen.paint));
  },
);

export const drainWorker = hubAction(
  "write",
  async ({ platform, screen }, id: string, flags: DocumentFlags) => {
    const worker = await platform.workers.drain(id, OPERATOR);
    if (flags.json === true) screen.printJson(worker);
    else screen.print(`${worker.id} takes no more runs and ends when its ${worker.busy} in flight have`);
  },
);

function workerState({ alive, draining, no_room }: Worker): string {
  if (!alive) return "gone";
  if (draining) return "draining";
  return no_room === undefined ? "alive" : "disk full";
}

function workerLines(worker: Worker, paint: Paint): string[] {
  return [
    ...field("worker", [worker.id], paint),
    ...field("state", [workerState(worker)], paint),
    ...(worker.no_room === undefined ? [] : field("disk", [worker.no_room], paint)),
    ...field("host", [`${worker.host}, process ${worker.pid}`], paint),
    ...field("runs", [`${worker.busy} of ${worker.slots}`], paint),
    ...field("labels", [worker.labels.join(", ") || "none"], paint),
    ...field("version", [worker.version], paint),
    ...field("started", [worker.started_at], paint),
    ...field("seen", [worker.seen_at], paint),
  ];
}
