// `proctor runs events`: the log of a run so far, or as it grows.
import { readLog } from "../../../core/read-log.ts";
import type { EventsFlags } from "./flags.ts";
import { hubAction } from "../hub-action.ts";
import { renderEventLine } from "../../terminal/event-line.ts";
import { findRun } from "./find-run.ts";

export const printEvents = hubAction(
  "read",
  async ({ hub, screen, io }, reference: string, flags: EventsFlags) => {
    const { id, created_at } = await findRun(hub, reference);
    const startMs = Date.parse(created_at);
    const after = flags.after ?? -1;
    const events = flags.follow === true ? hub.follow(id, after, io.signal) : readLog(hub, id, after);
    for await (const event of events) {
      if (io.signal.aborted) break;
      if (flags.json === true) io.stdout.write(`${JSON.stringify(event)}\n`);
      else screen.print(renderEventLine(event, { startMs, paint: screen.paint, width: screen.width }));
    }
    return io.signal.aborted ? 130 : 0;
  },
);
