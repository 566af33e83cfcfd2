// The events of one task as they are committed, translated and encoded once for all listeners.
import type { RunEvent } from "../../../../core/event.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import type { UriOf } from "../shared/artifact-document.ts";
import { NOTHING_YET, taskEvents, type TaskEvent, type TaskEventsState } from "../shared/task-events.ts";
import { createRecentFrames } from "./recent-frames.ts";

/** One event, ready to be sent. */
export interface Frame {
  taskId: string;
  seq: number;
  text: string;
}

export type FrameListener = (frame: Frame) => void;

export interface Feed {
  readonly taskId: string;
  /** Returns the URIs of artifacts in its events. */
  readonly uriOf: UriOf;
  /** Resolves when it has read the log as it was when the feed was made. Rejects when there is none. */
  readonly opened: Promise<void>;
  /** Returns how far the log has been read, and the `seq` of the last event of it; -1 for nothing. Both change in the same turn. */
  position(): { sequence: number; seq: number };
  /** Returns the task's events after `since`, when they are still at hand. */
  recent(since: number): readonly Frame[] | undefined;
  /** Calls the listener with every event from now on; returns a function that stops it. */
  join(listener: FrameListener): () => void;
  /** Reads on, because the log has grown up to this sequence. */
  grown(last: number): void;
  busy(): boolean;
  /** Resolves when no read is under way. */
  settled(): Promise<void>;
  /** Returns whether the run has ended; only artifacts may still come. */
  ended(): boolean;
  /** Sends all listeners a frame that is not in the log. */
  tell(frame: Frame): void;
}

interface FeedOptions {
  hub: Hub;
  taskId: string;
  uriOf: UriOf;
  /** Events after this sequence are sent even if they are in the log already; when absent, only those that come later are. */
  after?: number;
  /** Called when everything that is known of the log has been read. */
  onIdle: () => void;
  /** Called when the log cannot be read any further. */
  onFailure: (problem: unknown) => void;
}

const PAGE = 128;

export function createFeed(options: FeedOptions): Feed {
  const { hub, taskId, uriOf, after = Number.POSITIVE_INFINITY, onIdle, onFailure } = options;
  const isPart = options.after !== undefined;
  const listeners = new Set<FrameListener>();
  const recent = createRecentFrames();
  let state: TaskEventsState = NOTHING_YET;
  let sequence = -1;
  let ended = false;
  /** Last sequence that the log is known to have. */
  let known = -1;
  let opening = true;
  let busy = false;
  let reading = Promise.resolve();

  function tell(frame: Frame): void {
    for (const listener of listeners) listener(frame);
  }

  function deliver(event: TaskEvent): void {
    const frame = { taskId, seq: event.seq, text: JSON.stringify(event) };
    // No client comes back to a feed of all tasks.
    if (!isPart) recent.add(frame);
    tell(frame);
  }

  function take(event: RunEvent, isOld: boolean): void {
    const { events, after: next } = taskEvents(event, state, uriOf);
    state = next;
    ({ sequence } = event);
    ended ||= event.type === "run.ended";
    // Old events are not even encoded.
    if (!isOld || sequence > after) for (const each of events) deliver(each);
  }

  /** Reads to the known end of the log. */
  async function read(): Promise<void> {
    busy = true;
    try {
      do {
        const events = await hub.events(taskId, { after: sequence, limit: PAGE });
        if (events.length === 0 && known > sequence) throw new Error(`the log of run ${taskId} has a gap`);
        // The last page of the old log is kept in memory, for clients that come back.
        const isOld = opening && (events.length === PAGE || isPart);
        for (const event of events) take(event, isOld);
        opening &&= events.length === PAGE;
      } while (opening || known > sequence);
    } finally {
      // In the turn of the last look at `known`: a notice after it reads on.
      busy = false;
    }
  }

  function pump(): Promise<void> {
    reading = read();
    return reading.then(onIdle);
  }

  return {
    taskId,
    uriOf,
    opened: pump(),
    position: () => ({ sequence, seq: state.next - 1 }),
    recent: (since) => (since >= state.next - 1 ? [] : recent.after(since)),
    join(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    grown(last) {
      known = Math.max(known, last);
      if (known > sequence && !busy) pump().catch(onFailure);
    },
    busy: () => busy,
    settled: () => reading,
    ended: () => ended,
    tell,
  };
}
