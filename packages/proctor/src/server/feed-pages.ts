// The events of all runs as pages of an event stream: what was committed after a position, then more after each commit. A reader that
// comes back with the position of its last frame misses nothing and gets nothing twice, also after a restart of the hub.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogReader } from "../core/ports/log-reader.ts";
import { recordJson, type FeedEntry, type Store } from "../core/ports/store.ts";
import { encodeSse } from "../runtime/http/encode-sse.ts";

export interface FeedSource {
  read: Store["feed"];
  /** Calls back after each commit. */
  watch: LogReader["watch"];
}

export interface FeedRequest {
  /** The position of the last event that the reader has seen. */
  after: number;
  matches: (entry: FeedEntry) => boolean;
}

const FIRST_LIMIT = 16;
const LARGEST_LIMIT = 512;
/** A page should have about this many characters: fewer events are read when they are large. */
const PAGE_TARGET = 256 * 1024;

/** Ends when the signal aborts. */
export async function* feedPages(
  { read, watch }: FeedSource,
  { after, matches }: FeedRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let grown = true;
  let wake = (): void => undefined;
  const notice = (): void => {
    grown = true;
    wake();
  };
  // Before the first look, so that no commit falls between.
  const stop = watch(notice);
  signal.addEventListener("abort", notice, { once: true });
  let last = after;
  let limit = FIRST_LIMIT;
  try {
    // A reader that began now and leaves before the first event comes back to this place.
    yield placeFrame(last);
    while (!signal.aborted) {
      if (!grown) await new Promise<void>((resolve) => (wake = resolve));
      grown = false;
      const page = await read(last, limit);
      last = page.last;
      const text = page.items.filter(matches).map(frame).join("");
      if (text !== "") yield text;
      if (page.items.length < limit) continue;
      grown = true;
      limit = nextLimit(limit, page.items);
      if (text !== "") continue;
      // Whoever comes back need not look through these again. Others get their turn, because this page waited for nobody.
      yield placeFrame(last);
      await nextTurn();
    }
  } finally {
    stop();
    signal.removeEventListener("abort", notice);
  }
}

/** Unnamed, so that `EventSource.onmessage` sees every event. */
function frame({ position, record }: FeedEntry): string {
  return encodeSse({ id: `${position}`, data: recordJson(record) });
}

/** Sets the last id of a reader and is no message to it. */
function placeFrame(position: number): string {
  return encodeSse({ id: `${position}` });
}

function nextLimit(limit: number, items: readonly FeedEntry[]): number {
  const chars = items.reduce((sum, { record }) => sum + record.payload.length, 0);
  return chars > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_LIMIT, limit << 1);
}
