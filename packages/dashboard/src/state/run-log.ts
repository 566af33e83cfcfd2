// One run as its page follows it: the document, and the part of its log that was read. Sequences have no gaps, so that any part can be read by
// itself, and a live event that does not follow the last one shows what is missing.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub } from "../api/hub.ts";
import type { Event, Run } from "../api/gen/schema.ts";
import { connection, onEvent, watchRun } from "../api/live.ts";
import { foldRun } from "./fold-run.ts";

/** Number of events of the first page: with texts of `BRIEF` characters never more than a megabyte. */
const TAIL = 200;
const PAGE = 500;
const BRIEF = 1000;
/** Milliseconds after an event that changed the run until the run is read again. */
const PAUSE_MS = 300;

export interface RunLog {
  run: ReadonlySignal<Run | undefined>;
  /** Events that were read, by sequence. Every change makes a new map. */
  events: ReadonlySignal<ReadonlyMap<number, Event>>;
  /** Number of events that the log has, as far as is known. */
  total: ReadonlySignal<number>;
  error: ReadonlySignal<unknown>;
  /** Reads the page that has this event, unless it was read. */
  need(sequence: number): Promise<void>;
  /** Reads everything from the beginning, until `most` events are there. */
  readAll(most: number): Promise<void>;
  /** Resolves with the event with its whole payload. */
  whole(sequence: number): Promise<Event | undefined>;
  reload(): Promise<void>;
  close(): void;
}

export function openRunLog(id: string): RunLog {
  const run = signal<Run | undefined>(undefined);
  const events = signal<ReadonlyMap<number, Event>>(new Map());
  const total = signal(0);
  const error = signal<unknown>(undefined);
  const stop = new AbortController();
  const asked = new Set<number>();
  let arrived: Event[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(items: readonly Event[]): void {
    if (items.length === 0) return;
    const next = new Map(events.peek());
    // A whole event is not replaced by its brief form.
    for (const event of items) {
      if (next.get(event.sequence)?.cut !== undefined || !next.has(event.sequence))
        next.set(event.sequence, event);
    }
    events.value = next;
    total.value = Math.max(total.peek(), (items.at(-1)?.sequence ?? -1) + 1);
  }

  async function read(query: Record<string, number>): Promise<readonly Event[]> {
    const { items } = await hub.events(id, { brief: BRIEF, ...query }, stop.signal);
    put(items);
    return items;
  }

  async function reload(): Promise<void> {
    run.value = await hub.run(id, stop.signal);
  }

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      error.value = undefined;
    } catch (cause) {
      if (!stop.signal.aborted) error.value = cause;
    }
  }

  /** Reads what came after the last event that is known; a run that has ended has no more to say. */
  async function catchUp(): Promise<void> {
    const seen = total.peek();
    if (seen > 0 && run.peek()?.ended_at === null) await read({ after: seen - 1, limit: PAGE });
  }

  function apply(): void {
    frame = 0;
    const items = arrived;
    arrived = [];
    const missing = total.peek();
    const first = items[0]?.sequence ?? 0;
    put(items);
    if (first > missing && missing > 0) void attempt(() => read({ after: missing - 1, limit: PAGE }));
    const before = run.peek();
    if (before === undefined) return;
    run.value = items.reduce<Run>((now, event) => foldRun(now, event) ?? now, before);
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(reload), PAUSE_MS);
  }

  const off = onEvent((event) => {
    if (event.run_id !== id) return;
    arrived.push(event);
    frame ||= requestAnimationFrame(apply);
  });
  const unwatch = watchRun(id);
  // Reads what happened between the first page and the stream, and while the stream was broken.
  const mend = connection.subscribe((state) => {
    if (state === "live") void attempt(catchUp);
  });
  void attempt(async () => {
    await Promise.all([reload(), read({ last: TAIL })]);
    await catchUp();
  });

  return {
    run,
    events,
    total,
    error,
    async need(sequence) {
      const page = Math.floor(sequence / PAGE);
      if (asked.has(page) || events.peek().has(sequence)) return;
      asked.add(page);
      await attempt(() => read({ after: page * PAGE - 1, limit: PAGE }));
      // A page that failed is requested again when it is seen again.
      if (!events.peek().has(sequence)) asked.delete(page);
    },
    async readAll(most) {
      await attempt(async () => {
        for (let next = 0; next < Math.min(most, total.peek()) && !stop.signal.aborted;) {
          if (events.peek().has(next)) next++;
          else if ((await read({ after: next - 1, limit: PAGE })).length === 0) return;
        }
      });
    },
    async whole(sequence) {
      const { items } = await hub.events(id, { after: sequence - 1, limit: 1 }, stop.signal);
      put(items);
      return items[0];
    },
    reload: () => attempt(reload),
    close() {
      stop.abort();
      off();
      unwatch();
      mend();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}
