// The owner of a run follows its own log: what others wrote there (a message, an answer, a wish to cancel, pause or resume) is read
// back and acted on, in order and once, whether it was announced by this process or found in the log.
import type { RunEvent } from "../core/event.ts";
import { decodeRecord, type NewEvent, type Store } from "../core/ports/store.ts";

export interface Mailbox {
  /** Others have written the last `appended` events up to this sequence; `events` are they, where they are at hand. */
  arrived(lastSequence: number, appended: number, events?: readonly NewEvent[]): void;
  /** The owner has written the last `appended` events up to this sequence. */
  wrote(lastSequence: number, appended: number): void;
  /** Others may have written something, in another process: the log says what. */
  look(): void;
  /** Resolves when everything that arrived so far was acted on. */
  settled(): Promise<void>;
}

/** How many events are read at once. */
const PAGE = 256;

export function createMailbox(options: {
  store: Pick<Store, "readEvents">;
  runId: string;
  /** What the log had when the run was claimed, which its owner knows. */
  known: number;
  act: (event: RunEvent) => Promise<void> | void;
  /** Resolves when what the owner is writing is written, and `wrote` was called for it. */
  written?: () => Promise<void>;
  report: (problem: unknown) => void;
}): Mailbox {
  const { store, runId, act, report } = options;
  let work: Promise<void> = Promise.resolve();
  let looks = false;
  /** Everything up to here is the owner's own, or was acted on; of what follows, `done` says it event by event. */
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

  /** Those that nobody acted on yet; from now on somebody does. */
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
      // Nearly always: nobody else has written anything.
      if (lastSequence - appended === known && done.size === 0) {
        known = lastSequence;
        return;
      }
      for (let sequence = lastSequence - appended + 1; sequence <= lastSequence; sequence++) settle(sequence);
      // There is something in between that nobody announced.
      if (done.size > 0) look();
    },
    look,
    settled: () => work,
  };
}

/** A draft with its place in the log is an event. */
function placed({ draft, timestamp }: NewEvent, runId: string, sequence: number): RunEvent {
  return { run_id: runId, sequence, timestamp: new Date(timestamp).toISOString(), ...draft };
}
