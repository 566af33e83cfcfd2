// One task on one socket: first what the client has missed, then what comes, without a gap or a repeat between the two.
import { ProctorError } from "../../../../core/errors.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import type { HeldFeed } from "./feeds.ts";
import type { Outbox } from "./outbox.ts";
import { replay } from "./replay.ts";

export interface Subscription {
  close(): void;
}

interface SubscriptionOptions {
  held: HeldFeed;
  hub: Hub;
  /** Last event that the client has seen; undefined when it only wants later ones. */
  since: number | undefined;
  outbox: Outbox;
  /** Called once, before anything else is sent, with the `seq` of the last event. */
  confirm: (seq: number) => void;
  /** Called when the subscription cannot go on: the task was removed, or the log cannot be read. */
  onFailure: (problem: unknown) => void;
}

/** Throws INVALID_REQUEST when `since` is beyond the last event; the feed is then released. */
export function createSubscription(options: SubscriptionOptions): Subscription {
  const { held, hub, outbox, confirm, onFailure } = options;
  const { feed } = held;
  let closed = false;
  let leave: (() => void) | undefined;

  function follow(after: number): void {
    leave = feed.join(({ seq, text }) => {
      if (seq > after) outbox.post(text);
    });
  }

  /** Reads the log at the client's pace. */
  async function catchUp(since: number): Promise<void> {
    let last = since;
    for await (const { events, sequence } of replay(hub, feed, since)) {
      for (const event of events) {
        if (closed) return;
        last = event.seq;
        outbox.post(JSON.stringify(event));
        await outbox.room();
      }
      if (closed) return;
      // In one turn: the feed cannot go on in between.
      if (sequence >= feed.position().sequence) return follow(last);
    }
  }

  function begin(): void {
    const { seq } = feed.position();
    const { since = seq } = options;
    if (since > seq) throw beyond(since, seq);
    confirm(seq);
    const recent = feed.recent(since);
    if (recent === undefined) {
      catchUp(since).catch((problem: unknown) => {
        if (!closed) onFailure(problem);
      });
      return;
    }
    for (const { text } of recent) outbox.post(text);
    follow(seq);
  }

  try {
    begin();
  } catch (problem) {
    held.release();
    throw problem;
  }
  return {
    close() {
      if (closed) return;
      closed = true;
      leave?.();
      held.release();
    },
  };
}

function beyond(since: number, last: number): ProctorError {
  return new ProctorError(
    "INVALID_REQUEST",
    `since is ${since}, but the last event of this task has seq ${last}`,
  );
}
