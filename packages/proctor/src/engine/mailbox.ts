// The owner of a run follows its own log: what others wrote there (a message, an answer, a request to cancel, pause or resume) is read
// back and acted on, in order and once, whether it was announced by this process or found in the log.
import type { RunEvent } from "../core/event.ts";
import { decodeRecord, type NewEvent, type Store } from "../core/ports/store.ts";

export interface Mailbox {
  /** Reports that others have written the last `appended` events up to this sequence, which are in `events` where they are known. */
  arrived(lastSequence: number, appended: number, events?: readonly NewEvent[]): void;
  /** Reports that the owner has written the last `appended` events up to this sequence. */
  wrote(lastSequence: number, appended: number): void;
  /** Reports that others may have written something, in another process: the log tells what. */
  look(): void;
  /** Resolves when everything that arrived so far was acted on. */
  settled(): Promise<void>;
}

/** Events that are read at once. */
const PAGE = 256;

export function createMailbox(options: {
  store: Pick<Store, "readEvents">;
  runId: string;
  /** Last sequence of the log when the run was claimed; the owner knows everything up to it. */
  known: number;
  act: (event: RunEvent) => Promise<void> | void;
  /** Resolves when the owner's present write is done, and `wrote` was called for it. */
  written?: () => Promise<void>;
  report: (problem: unknown) => void;
}): Mailbox {
  const { store, runId, act, report } = options;
  let work: Promise<void> = Promise.resolve();
  let looks = false;
  /** Sequence up to which every event is the owner's own, or was acted on; `done` lists single events after it. */
  let known = options.known;
  const done = new Set<number>();

  function isNews(sequence: number): boolean {
    return sequence > known && !done.has(sequence);
  }

  function settle(sequence: number): void {
    if (sequence > known) done.add(sequence);
    while (done.delete(known + 1)) known += 1;
  }

  async function read(after: number, limit: number): Promise<RunEvent[]> {
    return (await store.readEvents(runId, after, limit)).map(decodeRecord);
  }

  /** Returns the events that were not acted on yet, and marks them as acted on. */
  function take(events: readonly RunEvent[]): RunEvent[] {
    const news = events.filter(({ sequence }) => isNews(sequence));
    for (const { sequence } of news) settle(sequence);
    return news;
  }

  async function actOn(events: readonly RunEvent[]): Promise<void> {
    for (const event of events) await act(event);
  }

  async function lookNow(): Promise<void> {
    looks = false;
    for (;;) {
      const events = await read(known, PAGE);
      // What this owner wrote a moment ago is in the log before it is known to be its own.
      await options.written?.();
      await actOn(take(events));
      if (events.length < PAGE) return;
    }
  }

  function next(job: () => Promise<void>): void {
    work = work.then(job).catch(report);
  }

  function look(): void {
    if (looks) return;
    looks = true;
    next(lookNow);
  }

  return {
    arrived(lastSequence, appended, events) {
      if (lastSequence <= known) return;
      if (events === undefined) return look();
      const first = lastSequence - appended + 1;
      const news = take(events.map((event, index) => placed(event, runId, first + index)));
      next(() => actOn(news));
    },
    wrote(lastSequence, appended) {
      // The usual case: no other writer has written anything.
      if (lastSequence - appended === known && done.size === 0) {
        known = lastSequence;
        return;
      }
      for (let sequence = lastSequence - appended + 1; sequence <= lastSequence; sequence++) settle(sequence);
      // There is an event in between that was not announced.
      if (done.size > 0) look();
    },
    look,
    settled: () => work,
  };
}

/** Returns a draft with its place in the log as an event. */
function placed({ draft, timestamp }: NewEvent, runId: string, sequence: number): RunEvent {
  return { run_id: runId, sequence, timestamp: new Date(timestamp).toISOString(), ...draft };
}
