// A task's events from the log, for a client that comes back after a longer absence.
import type { Hub } from "../../../../core/ports/hub.ts";
import type { Feed } from "./feed.ts";
import { NOTHING_YET, taskEvents, type TaskEvent, type TaskEventsState } from "../shared/task-events.ts";

interface ReplayedPage {
  events: TaskEvent[];
  /** Sequence up to which the log has been read. */
  sequence: number;
}

const PAGE = 128;

/** Yields pages of events after `since`, without end: when the log ends, the reader decides whether to ask again. */
export async function* replay(
  hub: Hub,
  { taskId, uriOf }: Pick<Feed, "taskId" | "uriOf">,
  since: number,
): AsyncGenerator<ReplayedPage> {
  let state: TaskEventsState = NOTHING_YET;
  let sequence = -1;
  for (;;) {
    const events: TaskEvent[] = [];
    // From the beginning, because what an event means depends on those before it.
    for (const event of await hub.events(taskId, { after: sequence, limit: PAGE })) {
      const { events: made, after } = taskEvents(event, state, uriOf);
      state = after;
      ({ sequence } = event);
      for (const each of made) if (each.seq > since) events.push(each);
    }
    yield { events, sequence };
  }
}
