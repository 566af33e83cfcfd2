// How the server reads a run's log: pages of events as JSON text, and waiting for the next one. With raw records from
// the store no payload is ever parsed; with only a Hub, events are serialised again.
import type { RunEvent } from "../core/event.ts";
import { ProctorError } from "../core/errors.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { recordJson, type EventRecord } from "../core/ports/store.ts";
import type { FeedSource } from "./feed-pages.ts";
import { unlessAborted } from "../core/unless-aborted.ts";

export interface EventText {
  sequence: number;
  /** True for the event that ends the run. */
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
  /** Reads raw records, as the store does. */
  recordsOf?: (runId: string, after: number, limit: number) => Promise<EventRecord[]>;
  /** Looks again after each commit to a run; without it, waiting readers follow the hub. */
  until?: LogReader["until"];
  /** Reads the events of all runs in the order of their commits. When absent, only single runs can be followed. */
  feed?: FeedSource;
}

export function createEventLog({ hub, recordsOf, until }: EventSources): EventLog {
  const read: EventLog["read"] =
    recordsOf === undefined
      ? async (runId, after, limit) => (await hub.events(runId, { after, limit })).map(fromEvent)
      : async (runId, after, limit) => (await recordsOf(runId, after, limit)).map(fromRecord);
  return { read, wait: until === undefined ? waitByFollowing(hub) : waitByLooking(until, read, hub) };
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

interface Wait {
  grown: Promise<void>;
  readers: number;
  stop: AbortController;
}

/** Readers that wait for the same event share one wait, so that a commit costs one read however many follow the run. */
function waitByLooking(
  until: LogReader["until"],
  read: EventLog["read"],
  hub: Pick<Hub, "run">,
): EventLog["wait"] {
  const waits = new Map<string, Wait>();

  function begin(key: string, runId: string, after: number): Wait {
    const stop = new AbortController();
    let looked = false;
    const look = async (): Promise<true | undefined> => {
      if ((await read(runId, after, 1)).length > 0) return true;
      // Woken without a new event: the run may have been removed.
      if (looked) await hub.run(runId);
      looked = true;
      return undefined;
    };
    const grown = until(runId, look, stop.signal)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!ProctorError.is(error) || error.code !== "RUN_NOT_FOUND") throw error;
        },
      )
      .finally(() => {
        if (waits.get(key)?.stop === stop) waits.delete(key);
      });
    const wait = { grown, readers: 0, stop };
    waits.set(key, wait);
    return wait;
  }

  return async (runId, after, signal) => {
    if (signal.aborted) return;
    const key = `${runId} ${after}`;
    const wait = waits.get(key) ?? begin(key, runId, after);
    wait.readers++;
    try {
      await unlessAborted(wait.grown, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (--wait.readers === 0) {
        if (waits.get(key) === wait) waits.delete(key);
        wait.stop.abort();
      }
    }
  };
}
