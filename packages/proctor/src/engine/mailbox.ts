// The owner of a run follows its own log: what others wrote there (a message, an answer, a wish to cancel, pause or resume) is read
// back and acted on, in order.
import type { RunEvent } from "../core/event.ts";
import { decodeRecord, type Store } from "../core/ports/store.ts";

export interface Mailbox {
  /** Others have written the last `appended` events up to this sequence. */
  arrived(lastSequence: number, appended: number): void;
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

  async function read(lastSequence: number, appended: number): Promise<void> {
    try {
      const after = Math.max(lastSequence - appended, known);
      for (const record of await store.readEvents(runId, after, lastSequence - after)) {
        await act(decodeRecord(record));
      }
    } catch (problem) {
      report(problem);
    }
  }

  return {
    arrived(lastSequence, appended) {
      if (lastSequence <= known) return;
      work = work.then(() => read(lastSequence, appended));
    },
    settled: () => work,
  };
}
