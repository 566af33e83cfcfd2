// The events of one task as they are committed, translated and encoded once for all who listen.
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
  /** Where the bytes of artifacts stand, as its events say it. */
  readonly uriOf: UriOf;
  /** Resolves when it has read the log as it was when the feed was made. Rejects when there is none. */
  readonly opened: Promise<void>;
  /** How far it has read the log, and the last `seq` that made; -1 for nothing. Both grow together, within one turn. */
  position(): { sequence: number; seq: number };
  /** The task's events after `since`, when they are still at hand. */
  recent(since: number): readonly Frame[] | undefined;
  /** From now on; returns how to stop. */
  join(listener: FrameListener): () => void;
  /** The log has grown, up to here. */
  grown(last: number): void;
  busy(): boolean;
  /** Resolves when it is not reading. */
  settled(): Promise<void>;
  /** The run has ended: what may still come are artifacts. */
  ended(): boolean;
  /** Tells all who listen something that is not in the log. */
  tell(frame: Frame): void;
}

export interface FeedOptions {
  hub: Hub;
  taskId: string;
  uriOf: UriOf;
  /** What comes after this sequence is told, though it may be in the log already. Otherwise nothing of the log as it is. */
  after?: number;
  /** It has read all that it knows of. */
  onIdle: () => void;
  /** The log can be read no further. */
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
  /** The log is known to reach this far. */
  let known = -1;
  let opening = true;
  let busy = false;
  let reading = Promise.resolve();

  function tell(frame: Frame): void {
    for (const listener of listeners) listener(frame);
  }

  function deliver(event: TaskEvent): void {
    const frame = { taskId, seq: event.seq, text: JSON.stringify(event) };
    // Nobody comes back to a feed of those who listen to all tasks.
    if (!isPart) recent.add(frame);
    tell(frame);
  }

  function take(event: RunEvent, isOld: boolean): void {
    const { events, after: next } = taskEvents(event, state, uriOf);
    state = next;
    ({ sequence } = event);
    ended ||= event.type === "run.ended";
    // What is long past is not even encoded.
    if (!isOld || sequence > after) for (const each of events) deliver(each);
  }

  /** Reads to the end of the log, as far as it is known. */
  async function read(): Promise<void> {
    busy = true;
    try {
      do {
        const events = await hub.events(taskId, { after: sequence, limit: PAGE });
        if (events.length === 0 && known > sequence) throw new Error(`the log of run ${taskId} has a gap`);
        // The last page of the old log is kept at hand, for those who come back.
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
