// The feeds that sockets listen to: one for each task that a client named, however many did. Listeners to all tasks are in
// all-tasks.ts.
import { ProctorError } from "../../../../core/errors.ts";
import { noUri, type UriOf } from "../shared/artifact-document.ts";
import type { LogReader } from "../../../../core/ports/log-reader.ts";
import type { SurfaceOptions } from "../../../protocol.ts";
import { createAllTasks } from "./all-tasks.ts";
import { createFeed, type Feed, type Frame, type FrameListener } from "./feed.ts";

export interface Feeds {
  /** Throws RUN_NOT_FOUND for an unknown task. */
  open(taskId: string): Promise<HeldFeed>;
  /** Calls the listener with the events of all tasks from now on; returns a function that stops it. */
  joinAll(listener: FrameListener): () => void;
  /** Returns the number of open feeds. */
  size(): number;
}

export interface HeldFeed {
  feed: Feed;
  /** Must be called once. A feed without holders is closed. */
  release(): void;
}

interface Entry {
  feed: Feed;
  holders: number;
  /** True when the task was removed and its listeners know it. */
  gone: boolean;
}

export interface FeedsOptions extends Pick<SurfaceOptions, "hub" | "report"> {
  log: Pick<LogReader, "watch">;
  /** Returns the URIs of artifacts; when absent, clients get none. */
  uriOf?: UriOf;
}

export function createFeeds({ hub, log, report, uriOf = noUri }: FeedsOptions): Feeds {
  const entries = new Map<string, Entry>();
  const everybody = createAllTasks({ hub, report, uriOf });
  let unwatch: (() => void) | undefined;

  function make(taskId: string): Entry {
    const feed = createFeed({
      hub,
      taskId,
      uriOf,
      onIdle: () => undefined,
      onFailure: (problem) => fail(entry, problem),
    });
    const entry: Entry = { feed, holders: 0, gone: false };
    entries.set(taskId, entry);
    return entry;
  }

  function remove(entry: Entry): void {
    const { taskId } = entry.feed;
    // Another may have been made in its place.
    if (entries.get(taskId) === entry) entries.delete(taskId);
    stopIfIdle();
  }

  function fail(entry: Entry, problem: unknown): void {
    if (isGone(problem)) tellGone(entry);
    else report(problem, entry.feed.taskId);
    remove(entry);
  }

  /** Sends the deletion once, whether the failed read or the notice comes first. */
  function tellGone(entry: Entry): void {
    if (!entry.gone) entry.feed.tell(deletion(entry.feed.taskId));
    entry.gone = true;
  }

  function notice(taskId: string, last: number, appended: number): void {
    const entry = entries.get(taskId);
    if (appended > 0) {
      entry?.feed.grown(last);
      everybody.grown(taskId, last - appended, last);
      return;
    }
    // The last notice of a removed run has nothing appended.
    if (entry) {
      tellGone(entry);
      remove(entry);
    }
    everybody.removed(deletion(taskId));
  }

  function start(): void {
    unwatch ??= log.watch(notice);
  }

  function stopIfIdle(): void {
    if (entries.size > 0 || everybody.listeners() > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  return {
    async open(taskId) {
      // First, so that no commit is missed between the read and the watch.
      start();
      const entry = entries.get(taskId) ?? make(taskId);
      entry.holders += 1;
      try {
        await entry.feed.opened;
      } catch (problem) {
        remove(entry);
        throw problem;
      }
      return {
        feed: entry.feed,
        release() {
          entry.holders -= 1;
          if (entry.holders === 0) remove(entry);
        },
      };
    },
    joinAll(listener) {
      const leave = everybody.join(listener);
      start();
      return () => {
        leave();
        stopIfIdle();
      };
    },
    size: () => entries.size + everybody.size(),
  };
}

function isGone(problem: unknown): boolean {
  return ProctorError.is(problem) && problem.code === "RUN_NOT_FOUND";
}

/** Returns the deletion of a task: its log is gone, so the frame has no `seq` and nothing comes after it. */
function deletion(taskId: string): Frame {
  const event = { type: "task.deleted", task_id: taskId, data: {}, timestamp: new Date().toISOString() };
  return { taskId, seq: Number.POSITIVE_INFINITY, text: JSON.stringify(event) };
}
