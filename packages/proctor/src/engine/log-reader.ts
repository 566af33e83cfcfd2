// Reads logs from a sequence on and keeps up with them (invariant 1). Readers pull pages at their own pace, so a slow one
// costs the run nothing. One subscription to the store serves all readers, and is held only while there is a reader.
import { runNotFound } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { EventRecord, Store } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";

const FIRST_PAGE = 32;
const LARGEST_PAGE = 1024;
/**
 * Characters that a page should have, roughly: fewer events are read when they are large. A reader that stalls holds one
 * page, and many may stall.
 */
const PAGE_TARGET = 128 * 1024;

type Notice = (ended: boolean) => void;
/** Calls back when the run's log has grown; returns a function that stops it. */
type OnGrowth = (runId: string, notice: Notice) => () => void;

/** Creates a reader. With `pollMs`, readers also look at that interval: the store does not announce what another process writes. */
export function createLogReader(store: Store, clock: Clock, pollMs?: number): LogReader {
  const readers = new Map<string, Set<Notice>>();
  const onGrowth = createNotices(store, clock, pollMs, readers);
  return {
    isFollowed: (runId) => readers.has(runId),
    records: (runId, after, signal) => readRecords(store, onGrowth, runId, after, signal),
    ended(runId, signal) {
      return lookUntil(
        onGrowth,
        runId,
        async () => {
          const run = await readRun(store, runId);
          return run.ended_at === null ? undefined : run;
        },
        signal,
        // No other commit can end the run.
        (ended) => ended,
      );
    },
    until: (runId, look, signal) => lookUntil(onGrowth, runId, look, signal, () => true),
    watch: (listener) => store.watch(listener),
  };
}

function createNotices(
  store: Store,
  clock: Clock,
  pollMs: number | undefined,
  readers: Map<string, Set<Notice>>,
): OnGrowth {
  let unwatch: (() => void) | undefined;
  return (runId, notice) => {
    unwatch ??= store.watch((grown, _lastSequence, _appended, ended) => {
      for (const each of readers.get(grown) ?? []) each(ended);
    });
    const group = readers.get(runId) ?? new Set();
    readers.set(runId, group.add(notice));
    const stopPolling = pollMs === undefined ? undefined : poll(clock, pollMs, () => notice(true));
    return () => {
      stopPolling?.();
      group.delete(notice);
      if (group.size === 0) readers.delete(runId);
      if (readers.size > 0) return;
      unwatch?.();
      unwatch = undefined;
    };
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

async function* readRecords(
  store: Store,
  onGrowth: OnGrowth,
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
  const stop = onGrowth(runId, notice);
  signal.addEventListener("abort", notice, { once: true });
  try {
    while (!signal.aborted) {
      if (!grown) await new Promise<void>((resolve) => (wake = resolve));
      grown = false;
      const records = await store.readEvents(runId, last, limit);
      const newest = records.at(-1);
      if (newest === undefined) {
        // A reader that has read all of an ended run has nothing to wait for.
        if (await hasEnded(store, runId)) return;
        continue;
      }
      const end = endOf(records);
      yield end === undefined || end === records.length - 1 ? records : records.slice(0, end + 1);
      if (end !== undefined) return;
      last = newest.sequence;
      if (records.length < limit) {
        // An ended run may never grow again: the next look decides.
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

/** Returns the index of `run.ended`. Only what clients do with artifacts can come after it. */
function endOf(records: readonly EventRecord[]): number | undefined {
  const newest = records.at(-1)?.type;
  if (newest === "run.ended") return records.length - 1;
  if (newest?.startsWith("artifact.") !== true) return undefined;
  const place = records.findIndex(({ type }) => type === "run.ended");
  return place === -1 ? undefined : place;
}

async function lookUntil<T>(
  onGrowth: OnGrowth,
  runId: string,
  look: () => Promise<T | undefined>,
  signal: AbortSignal,
  matters: (ended: boolean) => boolean,
): Promise<T> {
  let grown = false;
  let wake = (): void => undefined;
  const woken = (): void => {
    grown = true;
    wake();
  };
  // Before the first look, so that no commit falls between.
  const stop = onGrowth(runId, (ended) => {
    if (matters(ended)) woken();
  });
  signal.addEventListener("abort", woken, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      grown = false;
      const found = await look();
      if (found !== undefined) return found;
      if (!grown) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal.removeEventListener("abort", woken);
  }
}

async function hasEnded(store: Store, runId: string): Promise<boolean> {
  return (await readRun(store, runId)).ended_at !== null;
}

async function readRun(store: Store, runId: string): Promise<Run> {
  const run = await store.readRun(runId);
  if (run === undefined) throw runNotFound(runId);
  return run;
}
