// The streams of a gateway that clients read or may come back to. A frame's id names its stream and its place there; only the user whose
// stream it is can go on with it.
import { randomHex } from "../../../core/random.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { StreamResponse } from "../model.ts";
import type { A2aCall, A2aStream } from "../service.ts";
import { createFrameFeed, type FrameFeed } from "./frame-feed.ts";

export interface NewFeed {
  user: string;
  source: AsyncIterable<StreamResponse>;
  stop: () => void;
  snapshot: (signal: AbortSignal) => Promise<StreamResponse>;
}

export interface Feeds {
  /** Begins a stream without asking for its first frame. */
  open(feed: NewFeed, signal: AbortSignal): A2aStream;
  /** Returns the rest of the stream that a client had before; undefined where it is not known, or not this user's. */
  resume(call: Pick<A2aCall, "lastEventId" | "signal">, user: string): A2aStream | undefined;
  close(): void;
}

const FRAME_ID = /^([0-9a-f]{32})-(\d{1,15})$/;
/** Streams that are remembered at once; beyond that the oldest is left. */
const MAX_FEEDS = 4096;

export function createFeeds({ clock, lingerMs }: { clock: Clock; lingerMs: number }): Feeds {
  const feeds = new Map<string, { feed: FrameFeed; user: string }>();
  let isClosed = false;

  return {
    open({ user, source, stop, snapshot }, signal) {
      const id = randomHex(16);
      const feed = createFrameFeed({
        id,
        source,
        stop,
        snapshot,
        clock,
        lingerMs,
        onClosed: () => feeds.delete(id),
      });
      const [oldest] = feeds.values();
      if (feeds.size >= MAX_FEEDS) oldest?.feed.close();
      feeds.set(id, { feed, user });
      if (isClosed) feed.close();
      return feed.read(-1, signal);
    },
    resume({ lastEventId = "", signal }, user) {
      const [, id = "", place = ""] = FRAME_ID.exec(lastEventId) ?? [];
      const found = feeds.get(id);
      return found?.user === user ? found.feed.read(Number(place), signal) : undefined;
    },
    close() {
      isClosed = true;
      for (const { feed } of feeds.values()) feed.close();
    },
  };
}
