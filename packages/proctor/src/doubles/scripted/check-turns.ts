// Whether the events of a script can be sent at all: found out before the first of them is.
import { A2aError } from "../../protocols/a2a/errors.ts";
import { decodeEvent, type Codecs, type EventIds } from "./complete-event.ts";
import type { ScriptedEvent, Turn } from "./script.ts";

const SAMPLE: EventIds = {
  taskId: "task",
  contextId: "context",
  hasTask: true,
  newId: () => "id",
  now: () => "2026-01-01T00:00:00.000Z",
};

/** Throws A2aError for an event that no client could read. */
export function checkEvent({ event, raw }: ScriptedEvent, codecs: Codecs): void {
  if (raw !== true) decodeEvent(event, SAMPLE, codecs);
}

/** Throws A2aError INVALID_PARAMS, in which the value is called `name`. */
export function checkTurns(turns: readonly Turn[], name: string, codecs: Codecs): void {
  for (const [turn, { events }] of turns.entries()) {
    for (const [index, event] of events.entries()) {
      try {
        checkEvent(event, codecs);
      } catch (error) {
        if (!(error instanceof A2aError)) throw error;
        const field = `${name}[${turn}][${index}]`;
        throw new A2aError("INVALID_PARAMS", `${field} cannot be sent: ${error.message}`, {
          fields: [{ field, description: error.message }],
        });
      }
    }
  }
}
