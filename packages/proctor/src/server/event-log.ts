// How the server reads a run's log: pages of events as JSON text, and waiting for the next one. With raw records from
// the store no payload is ever parsed; with only a Hub, events are serialised again.
import type { RunEvent } from "../core/event.ts";
import type { Hub } from "../core/ports/hub.ts";
import { recordJson, type EventRecord } from "../core/ports/store.ts";

export interface EventText {
  sequence: number;
  /** The run's last event. */
  ended: boolean;
  json: string;
}

export interface EventLog {
  read(runId: string, after: number, limit: number): Promise<EventText[]>;
  /** Resolves when there is an event after `after`, the run was removed, or the signal aborts. Never misses one. */
  wait(runId: string, after: number, signal: AbortSignal): Promise<void>;
}

export interface EventSources {
  hub: Hub;
  /** Raw records, as the store reads them. */
  recordsOf?: (runId: string, after: number, limit: number) => Promise<EventRecord[]>;
  /** Calls back after each commit, as the store does; returns how to stop. */
  watch?: (listener: (runId: string, lastSequence: number, appended?: number) => void) => () => void;
}

export function createEventLog({ hub, recordsOf, watch }: EventSources): EventLog {
  const read: EventLog["read"] =
    recordsOf === undefined
      ? async (runId, after, limit) => (await hub.events(runId, { after, limit })).map(fromEvent)
      : async (runId, after, limit) => (await recordsOf(runId, after, limit)).map(fromRecord);
  return { read, wait: watch === undefined ? waitByFollowing(hub) : waitByWatching(watch, read) };
}

function fromEvent(event: RunEvent): EventText {
  return { sequence: event.sequence, ended: event.type === "run.ended", json: JSON.stringify(event) };
}

function fromRecord(record: EventRecord): EventText {
  return { sequence: record.sequence, ended: record.type === "run.ended", json: recordJson(record) };
}

function waitByFollowing(hub: Hub): EventLog["wait"] {
  return async (runId, after, signal) => {
    for await (const _ of hub.follow(runId, after, signal)) return;
  };
}

interface Waiter {
  after: number;
  wake: () => void;
}

/** Those who wait for one run's next event. */
interface Waiting {
  waiters: Set<Waiter>;
  /** How many commits of the run were told since somebody waits. */
  commits: number;
  /** The last look for what was missed. Of many readers only the first looks; the others share it until something is committed. */
  look: { after: number; commits: number; missed: Promise<boolean> } | undefined;
}

/** One subscription for all streams, held only while somebody waits. */
function waitByWatching(watch: NonNullable<EventSources["watch"]>, read: EventLog["read"]): EventLog["wait"] {
  const runs = new Map<string, Waiting>();
  let unwatch: (() => void) | undefined;

  function add(runId: string, waiter: Waiter): Waiting {
    unwatch ??= watch((committed, lastSequence, appended) => {
      const waiting = runs.get(committed);
      if (waiting === undefined) return;
      waiting.commits++;
      // Nothing appended: the run was removed.
      for (const { after, wake } of waiting.waiters) if (lastSequence > after || appended === 0) wake();
    });
    const waiting = runs.get(runId) ?? { waiters: new Set(), commits: 0, look: undefined };
    runs.set(runId, waiting);
    waiting.waiters.add(waiter);
    return waiting;
  }

  function remove(runId: string, waiter: Waiter): void {
    const waiting = runs.get(runId);
    waiting?.waiters.delete(waiter);
    if (waiting?.waiters.size === 0) runs.delete(runId);
    if (runs.size > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  /** What was committed between the caller's last read and the subscription woke nobody. */
  function hasMissed(waiting: Waiting, runId: string, after: number): Promise<boolean> {
    const { look, commits } = waiting;
    if (look?.after === after && look.commits === commits) return look.missed;
    const missed = read(runId, after, 1).then(({ length }) => length > 0);
    waiting.look = { after, commits, missed };
    return missed;
  }

  return async (runId, after, signal) => {
    if (signal.aborted) return;
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiter = { after, wake };
    signal.addEventListener("abort", wake, { once: true });
    const waiting = add(runId, waiter);
    try {
      if (!(await hasMissed(waiting, runId, after))) await woken;
    } finally {
      remove(runId, waiter);
      signal.removeEventListener("abort", wake);
    }
  };
}
