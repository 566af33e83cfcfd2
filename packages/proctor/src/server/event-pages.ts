// Parts of runs' logs as the bytes of an event stream, encoded once for all readers: readers of a live run ask for the same
// page at the same moment. How many bytes are kept is bounded; a page that is gone is encoded again.
import { encodeSse } from "../runtime/http/encode-sse.ts";
import type { EventLog } from "./event-log.ts";

export interface EventPage {
  bytes: Uint8Array;
  /** Sequence of the page's last event. */
  last: number;
  /** True when the page ends with the end of the run. */
  ended: boolean;
  /** True when there may have been more events when the page was read. */
  full: boolean;
}

export interface EventPages {
  /** Resolves with the events after a sequence, as many as make a page; undefined when there are none yet. */
  read(runId: string, after: number): Promise<EventPage | undefined>;
}

const FIRST_LIMIT = 16;
const LARGEST_LIMIT = 512;
/** A page should have about this many bytes: fewer events are read when they are large. */
const PAGE_TARGET = 256 * 1024;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Bytes counted for each page in addition to its content, so that many small pages are bounded as well. */
const PAGE_COST = 1024;
const MAX_RUNS = 1000;

export function createEventPages(log: Pick<EventLog, "read">): EventPages {
  /** The pages by run and sequence; the one used last is at the end. */
  const pages = new Map<string, Promise<EventPage | undefined>>();
  const sizes = new Map<string, number>();
  const limits = new Map<string, number>();
  let keptBytes = 0;

  function forget(key: string): void {
    pages.delete(key);
    keptBytes -= sizes.get(key) ?? 0;
    sizes.delete(key);
  }

  function keep(key: string, page: EventPage): void {
    const size = page.bytes.length + PAGE_COST;
    sizes.set(key, size);
    keptBytes += size;
    for (const oldest of pages.keys()) {
      if (keptBytes <= MAX_KEPT_BYTES) return;
      if (sizes.has(oldest)) forget(oldest);
    }
  }

  /** The next page of a run has more events when this one was small, and fewer when it was large. */
  function adapt(runId: string, limit: number, bytes: number): void {
    limits.delete(runId);
    limits.set(runId, bytes > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_LIMIT, limit << 1));
    for (const oldest of limits.keys()) {
      if (limits.size <= MAX_RUNS) return;
      limits.delete(oldest);
    }
  }

  async function load(runId: string, after: number): Promise<EventPage | undefined> {
    const limit = limits.get(runId) ?? FIRST_LIMIT;
    const read = await log.read(runId, after, limit);
    // Clients may have added artifacts since: a reader that comes back with the end as its last event gets them.
    const end = read.findIndex(({ ended }) => ended);
    const events = end === -1 ? read : read.slice(0, end + 1);
    const last = events.at(-1);
    if (last === undefined) return undefined;
    // Frames are unnamed, so that `EventSource.onmessage` sees every event.
    const text = events.map(({ sequence, json }) => encodeSse({ id: `${sequence}`, data: json })).join("");
    const bytes = Buffer.from(text);
    adapt(runId, limit, bytes.length);
    return { bytes, last: last.sequence, ended: last.ended, full: read.length === limit };
  }

  return {
    read(runId, after) {
      const key = `${runId} ${after}`;
      const known = pages.get(key);
      if (known !== undefined) {
        pages.delete(key);
        pages.set(key, known);
        return known;
      }
      const loading = load(runId, after);
      pages.set(key, loading);
      loading.then(
        (page) => {
          // There are no events yet: the next call reads again.
          if (page === undefined) forget(key);
          else keep(key, page);
        },
        () => forget(key),
      );
      return loading;
    },
  };
}
