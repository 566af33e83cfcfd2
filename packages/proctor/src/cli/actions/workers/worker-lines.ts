// A worker as lines for people.
import type { Worker } from "../../../core/worker.ts";
import type { Paint } from "../../terminal/paint.ts";
import { field } from "../../terminal/run-summary.ts";

export function workerState({ alive, draining, no_room }: Worker): string {
  if (!alive) return "gone";
  if (draining) return "draining";
  return no_room === undefined ? "alive" : "disk full";
}

export function workerLines(worker: Worker, paint: Paint): string[] {
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
