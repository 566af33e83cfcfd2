// Listeners to all tasks: while there are any, each task whose log grows has a feed until its run ends. It is not the feed of
// clients that named the task, because here the commit says what is new.
import { ProctorError } from "../../../../core/errors.ts";
import { noUri } from "../shared/artifact-document.ts";
import type { FeedsOptions } from "./feeds.ts";
import { createFeed, type Feed, type Frame, type FrameListener } from "./feed.ts";

interface AllTasks {
  join(listener: FrameListener): () => void;
  listeners(): number;
  /** Reads the events of a task whose log has grown from `before` to `last`. */
  grown(taskId: string, before: number, last: number): void;
  /** Sends the frame that says a task was removed. */
  removed(frame: Frame): void;
  /** Returns the number of feeds. */
  size(): number;
}

/** Feeds that are kept. Beyond it, the one that was quiet for longest is closed; it is made again when its task has news. */
const MAX_FEEDS = 2000;

export function createAllTasks({
  hub,
  report,
  uriOf = noUri,
}: Pick<FeedsOptions, "hub" | "report" | "uriOf">): AllTasks {
  const listeners = new Set<FrameListener>();
  // In the order of their last news.
  const feeds = new Map<string, Feed>();

  const tell: FrameListener = (frame) => {
    for (const listener of listeners) listener(frame);
  };

  function make(taskId: string, before: number): Feed {
    const close = (): void => {
      if (feeds.get(taskId) === feed) feeds.delete(taskId);
    };
    const onFailure = (problem: unknown): void => {
      close();
      // A task that was removed has no more events.
      if (!ProctorError.is(problem) || problem.code !== "RUN_NOT_FOUND") report(problem, taskId);
    };
    const onIdle = (): void => {
      if (feed.ended() && !feed.busy()) close();
    };
    const feed = createFeed({ hub, taskId, uriOf, after: before, onIdle, onFailure });
    // A feed that was closed while it read sends nothing more: another may have taken over.
    feed.join((frame) => {
      if (feeds.get(taskId) === feed) tell(frame);
    });
    feed.opened.catch(onFailure);
    return feed;
  }

  function evict(): void {
    for (const [taskId, feed] of feeds) {
      if (feeds.size <= MAX_FEEDS) return;
      // A feed that is reading has not sent everything.
      if (!feed.busy()) feeds.delete(taskId);
    }
  }

  return {
    join(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) feeds.clear();
      };
    },
    listeners: () => listeners.size,
    grown(taskId, before, last) {
      if (listeners.size === 0) return;
      const feed = feeds.get(taskId) ?? make(taskId, before);
      feeds.delete(taskId);
      feeds.set(taskId, feed);
      evict();
      feed.grown(last);
    },
    removed(frame) {
      feeds.delete(frame.taskId);
      tell(frame);
    },
    size: () => feeds.size,
  };
}
