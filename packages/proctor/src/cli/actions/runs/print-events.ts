// `proctor runs events`: the log of a run so far, or as it grows.
import type { RunEvent } from "../../../core/event.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { EventsFlags } from "../../commands/runs.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { renderEventLine } from "../../terminal/event-line.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findRun } from "./find-run.ts";

const PAGE = 500;

export function printEvents(reference: string, flags: EventsFlags, context: CommandContext): Promise<number> {
  const { io } = context;
  return withHub(context, flags, "read", async ({ hub }) => {
    const screen = createScreen(io);
    const { id, created_at } = await findRun(hub, reference);
    const startMs = Date.parse(created_at);
    const after = flags.after ?? -1;
    const events =
      flags.follow === true ? hub.follow(id, after, io.signal) : readAll(hub, id, after, io.signal);
    for await (const event of events) {
      if (flags.json === true) io.stdout.write(`${JSON.stringify(event)}\n`);
      else screen.print(renderEventLine(event, { startMs, paint: screen.paint, width: screen.width }));
    }
    return io.signal.aborted ? 130 : 0;
  });
}

async function* readAll(hub: Hub, id: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
  let last = after;
  while (!signal.aborted) {
    const page = await hub.events(id, { after: last, limit: PAGE });
    yield* page;
    const newest = page.at(-1);
    if (newest === undefined || page.length < PAGE) return;
    last = newest.sequence;
  }
}
