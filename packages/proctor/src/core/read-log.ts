// Reads what a run's log holds now, page by page. `Hub.follow` waits for it to grow.
import type { RunEvent } from "./event.ts";
import type { Hub } from "./ports/hub.ts";

const PAGE = 500;

export async function* readLog(
  hub: Pick<Hub, "events">,
  runId: string,
  after = -1,
): AsyncGenerator<RunEvent, void> {
  let last = after;
  for (;;) {
    const page = await hub.events(runId, { after: last, limit: PAGE });
    yield* page;
    const newest = page.at(-1);
    // Files may still be given to a run that has ended, so only a page that is not full can be the last.
    if (newest === undefined || (newest.type === "run.ended" && page.length < PAGE)) return;
    last = newest.sequence;
  }
}
