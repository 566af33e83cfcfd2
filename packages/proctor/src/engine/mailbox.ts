// The owner of a run follows its own log: what others wrote there (a message, an answer, a wish to cancel, pause or resume) is read
// back and acted on, in order.
import type { RunEvent } from "../core/event.ts";
import { decodeRecord, type NewEvent, type Store } from "../core/ports/store.ts";

export interface Mailbox {
  /** Others have written the last `appended` events up to this sequence; `events` are they, where they are at hand. */
  arrived(lastSequence: number, appended: number, events?: readonly NewEvent[]): void;
  /** Resolves when everything that arrived so far was acted on. */
  settled(): Promise<void>;
}

export function createMailbox(options: {
  store: Pick<Store, "readEvents">;
  runId: string;
  /** What the log had when the run was claimed, which its owner knows. */
  known: number;
  act: (event: RunEvent) => Promise<void> | void;
  report: (problem: unknown) => void;
}): Mailbox {
  const { store, runId, known, act, report } = options;
  let work: Promise<void> = Promise.resolve();

  async function read(after: number, limit: number): Promise<RunEvent[]> {
    return (await store.readEvents(runId, after, limit)).map(decodeRecord);
  }

  async function open(lastSequence: number, appended: number, given?: readonly NewEvent[]): Promise<void> {
    try {
      const after = Math.max(lastSequence - appended, known);
      const first = lastSequence - appended + 1;
      const events =
        given?.map((event, index) => placed(event, runId, first + index)) ??
        (await read(after, lastSequence - after));
      for (const event of events) if (event.sequence > known) await act(event);
    } catch (problem) {
      report(problem);
    }
  }

  return {
    arrived(lastSequence, appended, events) {
      if (lastSequence <= known) return;
      work = work.then(() => open(lastSequence, appended, events));
    },
    settled: () => work,
  };
}

/** A draft with its place in the log is an event. */
function placed({ draft, timestamp }: NewEvent, runId: string, sequence: number): RunEvent {
  return { run_id: runId, sequence, timestamp: new Date(timestamp).toISOString(), ...draft };
}
