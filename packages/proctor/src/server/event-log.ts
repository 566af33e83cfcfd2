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

/** One subscription for all streams, held only while somebody waits. */
function waitByWatching(watch: NonNullable<EventSources["watch"]>, read: EventLog["read"]): EventLog["wait"] {
  const waiters = new Map<string, Set<Waiter>>();
  let unwatch: (() => void) | undefined;

  function add(runId: string, waiter: Waiter): void {
    unwatch ??= watch((committed, lastSequence, appended) => {
      const waiting = waiters.get(committed);
      if (waiting === undefined) return;
      // Nothing appended: the run was removed.
      for (const { after, wake } of waiting) if (lastSequence > after || appended === 0) wake();
    });
    const waiting = waiters.get(runId);
    if (waiting === undefined) waiters.set(runId, new Set([waiter]));
    else waiting.add(waiter);
  }

  function remove(runId: string, waiter: Waiter): void {
    const waiting = waiters.get(runId);
    waiting?.delete(waiter);
    if (waiting?.size === 0) waiters.delete(runId);
    if (waiters.size > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  return async (runId, after, signal) => {
    if (signal.aborted) return;
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiter = { after, wake };
    signal.addEventListener("abort", wake, { once: true });
    add(runId, waiter);
    try {
      // What was committed between the caller's last read and the subscription woke nobody.
      const missed = await read(runId, after, 1);
      if (missed.length === 0) await woken;
    } finally {
      remove(runId, waiter);
      signal.removeEventListener("abort", wake);
    }
  };
}
