// A server over a real store, for tests of the stream over all runs: it can be restarted on the same database.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogReader } from "../../../src/engine/log-reader.ts";
import type { Store } from "../../../src/core/ports/store.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import type { FeedSource } from "../../../src/server/feed-pages.ts";
import { openSqliteStore } from "../../../src/stores/sqlite/open-store.ts";
import { createHarness, type Harness } from "./app-harness.ts";

export interface FeedServer {
  store: Store;
  harness: Harness;
  /** Ends all streams, and opens what is left with a new server. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export function sourceOf(
  store: Store,
  watch: FeedSource["watch"] = (listener) => store.watch(listener),
): FeedSource {
  return { read: (after, limit) => store.feed(after, limit), watch };
}

export async function openFeedServer(
  options: { keepAliveMs?: number; tokens?: readonly string[] } = {},
): Promise<FeedServer> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-feed-"));
  const open = async () => {
    const store = await openSqliteStore({ file: join(folder, "p.db") });
    const log = createLogReader(store, systemClock);
    const feed = sourceOf(store, (listener) => log.watch(listener));
    return { store, harness: createHarness({ ...options, feed }) };
  };
  const server: FeedServer = {
    ...(await open()),
    async restart() {
      server.harness.app.endStreams();
      await server.store.close();
      Object.assign(server, await open());
    },
    async close() {
      server.harness.app.endStreams();
      await server.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

export interface FeedFrame {
  /** The frame's id, when it has one. */
  id: string | undefined;
  /** The event in it as `<run id> <type> <sequence>`; undefined for a comment or a place. */
  event: string | undefined;
  text: string;
}

export interface FeedStream {
  response: Response;
  /** The next frame of any kind; undefined at the end. */
  next(): Promise<FeedFrame | undefined>;
  /** The next so many events. */
  events(count: number): Promise<FeedFrame[]>;
  leave(): Promise<void>;
}

export async function openFeed(
  { harness: { app } }: FeedServer,
  query = "",
  headers: Record<string, string> = {},
): Promise<FeedStream> {
  const request = new Request(`http://127.0.0.1:3001/events${query}`, {
    headers: { accept: "text/event-stream", ...headers },
  });
  const response = await app.fetch(request);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  async function next(): Promise<FeedFrame | undefined> {
    while (!buffer.includes("\n\n")) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return undefined;
      buffer += value ?? "";
    }
    const end = buffer.indexOf("\n\n");
    const text = buffer.slice(0, end);
    buffer = buffer.slice(end + 2);
    const data = /^data: (.*)$/m.exec(text)?.[1];
    const event = data === undefined ? undefined : (JSON.parse(data) as Record<string, unknown>);
    const label = event && `${String(event["run_id"])} ${String(event["type"])} ${String(event["sequence"])}`;
    return { id: /^id: (.*)$/m.exec(text)?.[1], event: label, text };
  }
  return {
    response,
    next,
    async events(count) {
      const found: FeedFrame[] = [];
      while (found.length < count) {
        const frame = await next();
        if (frame === undefined) throw new Error(`the stream ended after ${found.length} of ${count} events`);
        if (frame.event !== undefined) found.push(frame);
      }
      return found;
    },
    leave: async () => reader?.cancel(),
  };
}
