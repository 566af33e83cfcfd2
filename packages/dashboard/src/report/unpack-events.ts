// Events by column as events of the API. They are numbered without gaps, as the pages need them; `number` is what the log calls them.
import type { Event, Run } from "../api/gen/schema.ts";
import type { PackedEvents } from "./report-documents.ts";

export function unpackEvents(run: Run, packed: PackedEvents | undefined): Event[] {
  if (packed === undefined) return [];
  const { type, sequence, at_ms, payload } = packed;
  const startMs = Date.parse(run.started_at ?? run.created_at);
  let number = 0;
  let timeMs = 0;
  return type.map((name, at) => {
    number += sequence[at] ?? 1;
    timeMs += at_ms[at] ?? 0;
    return {
      run_id: run.id,
      sequence: at,
      number,
      timestamp: timeOf(startMs + timeMs),
      type: name,
      payload: payload[at] ?? {},
    };
  });
}

/** Returns the time in ISO form. An agent may give any number as a time. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
