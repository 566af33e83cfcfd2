// Notes on what was unexpected about the terminal of a run, one sentence each, as its environment recorded them.
import type { RunEvent } from "../../core/event.ts";

/** Environments are opened before the agent starts: among the first events, or never. */
const LOOKED_AT = 50;

export async function placeNotes(events: AsyncIterable<RunEvent>): Promise<string[]> {
  let seen = 0;
  for await (const event of events) {
    if (event.type === "environment.opened" && event.payload.role === "terminal") return event.payload.notes;
    seen += 1;
    if (seen === LOOKED_AT) break;
  }
  return [];
}
