// The events of all runs as pages of an event stream: what was committed after a position, then more after each commit. A reader that
// comes back with the position of its last frame misses nothing and gets nothing twice, even after a restart of the hub.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PlacedEvaluationEvent } from "../core/evaluation.ts";
import type { EvaluationStore } from "../core/ports/evaluation-store.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { recordJson, type FeedEntry, type Store } from "../core/ports/store.ts";
import { encodeSse } from "../runtime/http/encode-sse.ts";

export interface FeedSource {
  read: Store["feed"];
  /** Calls back after each commit. */
  watch: LogReader["watch"];
  /** Changes of evaluations, which have positions in the same order; absent where no evaluations are kept. */
  evaluations?: Pick<EvaluationStore, "changes" | "watch">;
  /** Returns the time, in epoch milliseconds, that leases of evaluations are compared with; this machine's when absent. */
  now?: () => number;
}

export interface FeedRequest {
  /** The position of the last event that the reader has seen. */
  after: number;
  matches: (entry: FeedEntry) => boolean;
  /** Whether the reader also gets the changes of evaluations. */
  evaluations?: boolean;
}

const FIRST_LIMIT = 16;
const LARGEST_LIMIT = 512;
/** A page should have about this many characters: fewer events are read when they are large. */
const PAGE_TARGET = 256 * 1024;

/** Ends when the signal aborts. */
export async function* feedPages(
  source: FeedSource,
  { after, matches, evaluations = false }: FeedRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { read, watch } = source;
  const changing = evaluations ? source.evaluations : undefined;
  let grown = true;
  let wake = (): void => undefined;
  const notice = (): void => {
    grown = true;
    wake();
  };
  // Before the first look, so that no commit falls between.
  const stops = [watch(notice), ...(changing ? [changing.watch(notice)] : [])];
  signal.addEventListener("abort", notice, { once: true });
  let last = after;
  let limit = FIRST_LIMIT;
  try {
    // A reader that began now and leaves before the first event comes back to this place.
    yield placeFrame(last);
    while (!signal.aborted) {
      if (!grown) await new Promise<void>((resolve) => (wake = resolve));
      grown = false;
      const from = last;
      const page = await read(from, limit);
      last = page.last;
      // After the page, so that what moves beyond its end meanwhile comes with the next one.
      const changes = changing ? await changesBetween(changing, from, last, source.now ?? Date.now) : [];
      const entries = page.items.filter(matches).map((entry) => ({ at: entry.position, text: frame(entry) }));
      const text = inOrder([...entries, ...changes.map(changeFrame)]);
      if (text !== "") yield text;
      if (page.items.length < limit) continue;
      grown = true;
      limit = nextLimit(limit, page.items);
      if (text !== "") continue;
      // A reader that comes back need not look through these again. Others get their turn, because this page waited for nothing.
      yield placeFrame(last);
      await nextTurn();
    }
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener("abort", notice);
  }
}

interface PlacedFrame {
  at: number;
  text: string;
}

function inOrder(frames: PlacedFrame[]): string {
  return frames
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join("");
}

async function changesBetween(
  { changes }: Pick<EvaluationStore, "changes">,
  after: number,
  upTo: number,
  now: () => number,
): Promise<PlacedEvaluationEvent[]> {
  const found: PlacedEvaluationEvent[] = [];
  for (let from = after; from < upTo;) {
    const some = await changes({ after: from, upTo, limit: LARGEST_LIMIT, now: now() });
    found.push(...some);
    if (some.length < LARGEST_LIMIT) break;
    from = some.at(-1)?.position ?? upTo;
  }
  return found;
}

/** Returns a named frame, so that a reader that knows only events of runs does not mistake it for one. */
function changeFrame({ position, event }: PlacedEvaluationEvent): PlacedFrame {
  const text = encodeSse({ id: `${position}`, event: "evaluation", data: JSON.stringify(event) });
  return { at: position, text };
}

/** Returns an unnamed frame, so that `EventSource.onmessage` sees every event. */
function frame({ position, record }: FeedEntry): string {
  return encodeSse({ id: `${position}`, data: recordJson(record) });
}

/** Returns a frame that sets the reader's last event id without being a message. */
function placeFrame(position: number): string {
  return encodeSse({ id: `${position}` });
}

function nextLimit(limit: number, items: readonly FeedEntry[]): number {
  const chars = items.reduce((sum, { record }) => sum + record.payload.length, 0);
  return chars > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_LIMIT, limit << 1);
}
