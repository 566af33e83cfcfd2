// Appends what a worker sends, once, however often it is sent: a request whose answer was lost is sent again. The log itself tells whether
// it was written before, so nothing else has to be remembered. Each try is made from one sequence, so of two that are under way at the
// same time only one is written, and the other finds it.
import { ProctorError } from "../../core/errors.ts";
import type { AppendOptions, EventRecord, NewEvent, Store } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";

const PAGE = 500;

export interface AppendedOnce {
  lastSequence: number;
  /** The run after the events; absent where they were written by an earlier request. */
  run?: Run;
}

/** Appends the events once. Throws what Store.append throws. */
export async function appendOnce(
  store: Pick<Store, "append" | "readEvents">,
  runId: string,
  events: readonly NewEvent[],
  { after, ...options }: AppendOptions & { after: number },
): Promise<AppendedOnce> {
  for (let expectedSequence = after; ;) {
    try {
      const run = await store.append(runId, events, { ...options, expectedSequence });
      return { run, lastSequence: expectedSequence + events.length };
    } catch (error) {
      if (!mayBeWritten(error)) throw error;
      const { lastSequence, found } = await findEvents(store, runId, events, after);
      if (found !== undefined) return { lastSequence: found };
      // Others wrote in between, which is no reason to refuse; everything else is.
      if (!isGrown(error) || lastSequence <= expectedSequence) throw error;
      expectedSequence = lastSequence;
    }
  }
}

/** Resolves with where the events end in the log after `after`, if they stand there in a row; and where the log ends. */
async function findEvents(
  store: Pick<Store, "readEvents">,
  runId: string,
  events: readonly NewEvent[],
  after: number,
): Promise<{ lastSequence: number; found?: number }> {
  let lastSequence = after;
  let matched = 0;
  for (;;) {
    const page = await store.readEvents(runId, lastSequence, PAGE);
    for (const record of page) {
      lastSequence = record.sequence;
      matched = isSame(record, events[matched]) ? matched + 1 : isSame(record, events[0]) ? 1 : 0;
      if (matched === events.length) return { lastSequence, found: lastSequence };
    }
    if (page.length < PAGE) return { lastSequence };
  }
}

function isSame(record: EventRecord, event: NewEvent | undefined): boolean {
  return (
    event !== undefined &&
    record.type === event.draft.type &&
    record.timestamp === event.timestamp &&
    record.payload === event.payload
  );
}

function isGrown(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "CHANGED_MEANWHILE";
}

/** Returns whether the events may be in the log already: a run that they parked or ended refuses them a second time. */
function mayBeWritten(error: unknown): boolean {
  return isGrown(error) || (ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION");
}
