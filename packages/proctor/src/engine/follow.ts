// Reads a run's log from a sequence on and keeps up with it (invariant 1). Readers pull pages at their own pace, so a
// slow one costs the run nothing.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { decodeRecord, type EventRecord, type Store } from "../core/ports/store.ts";
import type { RunEvent } from "../core/event.ts";
import type { Run } from "../core/run.ts";

const FIRST_PAGE = 32;
const LARGEST_PAGE = 1024;
/**
 * A page is meant to have about this many characters: fewer events are read when they are large. A reader that stalls holds
 * one, and there may be many who stall.
 */
const PAGE_TARGET = 128 * 1024;
/** Who waits for an end looks so often by itself, in case it came before anybody listened. */
const LOOK_EVERY_MS = 250;

export interface Notices {
  /** Calls back when the run's log has grown; returns how to stop. */
  on(runId: string, callback: (ended: boolean) => void): () => void;
  close(): void;
}

/**
 * One listener on the store, however many readers there are. With `pollMs`, readers also look by themselves so often:
 * the store does not tell what another process has written.
 */
export function createNotices(store: Store, clock: Clock, pollMs?: number): Notices {
  const readers = new Map<string, Set<(ended: boolean) => void>>();
  const stop = store.watch((runId, _lastSequence, _appended, ended) => {
    for (const callback of readers.get(runId) ?? []) callback(ended);
  });
  return {
    on(runId, callback) {
      const group = readers.get(runId) ?? new Set();
      readers.set(runId, group.add(callback));
      const stopPolling = pollMs === undefined ? undefined : poll(clock, pollMs, () => callback(true));
      return () => {
        stopPolling?.();
        group.delete(callback);
        if (group.size === 0) readers.delete(runId);
      };
    },
    close: stop,
  };
}

function poll(clock: Clock, everyMs: number, callback: () => void): () => void {
  let callOff = clock.after(everyMs, look);
  function look(): void {
    callOff = clock.after(everyMs, look);
    callback();
  }
  return () => callOff();
}

/**
 * Pages of the log after `after`, then more as it grows; ends after `run.ended` or when the signal fires. Whoever has seen that event
 * gets what came after it, and no more.
 */
export async function* followRecords(
  store: Store,
  notices: Notices,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly EventRecord[]> {
  let last = after;
  let grown = true;
  let limit = FIRST_PAGE;
  let wake = (): void => undefined;
  const notice = (): void => {
    grown = true;
    wake();
  };
  const stop = notices.on(runId, notice);
  signal.addEventListener("abort", notice, { once: true });
  try {
    while (!signal.aborted) {
      if (!grown) await new Promise<void>((resolve) => (wake = resolve));
      grown = false;
      const records = await store.readEvents(runId, last, limit);
      const newest = records.at(-1);
      if (newest === undefined) {
        // Somebody who had read all of an ended run has nothing to wait for.
        if (await hasEnded(store, runId)) return;
        continue;
      }
      const end = endOf(records);
      yield end === undefined || end === records.length - 1 ? records : records.slice(0, end + 1);
      if (end !== undefined) return;
      last = newest.sequence;
      if (records.length < limit) {
        // There may be nobody to tell of more: the next look decides.
        grown ||= newest.type.startsWith("artifact.") && (await hasEnded(store, runId));
        continue;
      }
      grown = true;
      const chars = records.reduce((sum, { payload }) => sum + payload.length, 0);
      limit = chars > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_PAGE, limit << 1);
    }
  } finally {
    stop();
    signal.removeEventListener("abort", notice);
  }
}

/** The place of `run.ended`. Only what clients do with artifacts can come after it. */
function endOf(records: readonly EventRecord[]): number | undefined {
  const newest = records.at(-1)?.type;
  if (newest === "run.ended") return records.length - 1;
  if (newest?.startsWith("artifact.") !== true) return undefined;
  const place = records.findIndex(({ type }) => type === "run.ended");
  return place === -1 ? undefined : place;
}

/** The run when it has ended. Rejects when the signal fires first. */
export async function waitForEnd(
  store: Store,
  notices: Notices,
  runId: string,
  signal: AbortSignal,
): Promise<Run> {
  let wake = (): void => undefined;
  const notice = (ended: boolean): void => {
    if (ended) wake();
  };
  const stopped = (): void => wake();
  const stop = notices.on(runId, notice);
  signal.addEventListener("abort", stopped, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const timer = setTimeout(stopped, LOOK_EVERY_MS);
      await woken;
      clearTimeout(timer);
      const run = await store.readRun(runId);
      if (run === undefined) throw new ProctorError("RUN_NOT_FOUND", `there is no run ${runId}`);
      if (run.ended_at !== null) return run;
    }
  } finally {
    stop();
    signal.removeEventListener("abort", stopped);
  }
}

export async function* follow(
  store: Store,
  notices: Notices,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  for await (const records of followRecords(store, notices, runId, after, signal)) {
    for (const record of records) yield decodeRecord(record);
  }
}

async function hasEnded(store: Store, runId: string): Promise<boolean> {
  const run = await store.readRun(runId);
  if (run === undefined) throw new ProctorError("RUN_NOT_FOUND", `there is no run ${runId}`);
  return run.ended_at !== null;
}
