// Follows a run's log on a hub elsewhere. The connection may be cut at any time: it is opened again after the last
// event that arrived, so every event is yielded once and in order.
import { setTimeout as delay } from "node:timers/promises";
import { ProctorError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import { unreachable, type HttpClient } from "./http-client.ts";

/** A message of the stream. One without data is a comment, which keeps the connection alive. */
export interface SseFrame {
  kind?: string;
  id?: string;
  event?: string;
  data?: string;
}

export type ReadSse = (stream: AsyncIterable<Uint8Array>) => AsyncIterable<SseFrame>;

interface HttpFollowOptions {
  client: HttpClient;
  url: string;
  readSse: ReadSse;
  /** Reads one page of the log. */
  readEvents(id: string, after: number): Promise<RunEvent[]>;
  hasEnded(id: string): Promise<boolean>;
  /** Milliseconds to keep trying while the hub does not answer. */
  giveUpAfterMs: number;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

export async function* followOverHttp(
  options: HttpFollowOptions,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  let last = after;
  let delayMs = FIRST_DELAY_MS;
  /** When the hub last answered; undefined before, because a hub that was never there is reported at once. */
  let answeredAt: number | undefined;
  while (!signal.aborted) {
    try {
      const stream = await openStream(options.client, id, last, signal);
      answeredAt = Date.now();
      for await (const event of readStream(options, stream, id, last)) {
        last = event.sequence;
        delayMs = FIRST_DELAY_MS;
        yield event;
        if (event.type === "run.ended") return;
      }
      // The stream was cut off, or nothing more will come: the log itself knows which.
      if (await options.hasEnded(id)) {
        for await (const event of readMissing(options, id, last, Infinity)) {
          last = event.sequence;
          yield event;
        }
        return;
      }
      answeredAt = Date.now();
    } catch (error) {
      if (signal.aborted) return;
      if (!isWorthRetrying(error)) throw error;
      if (answeredAt === undefined || Date.now() - answeredAt > options.giveUpAfterMs) {
        throw ProctorError.is(error) ? error : unreachable(options.url, error);
      }
    }
    await delay(delayMs, undefined, { signal }).catch(() => {});
    delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
  }
}

async function openStream(
  client: HttpClient,
  id: string,
  last: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const headers = {
    accept: "text/event-stream",
    ...(last >= 0 && { "last-event-id": String(last) }),
  };
  const { body } = await client.send(`/runs/${encodeURIComponent(id)}/events`, { headers, signal });
  // 204: the run has ended, and everything has been read.
  return body ?? undefined;
}

/** Yields events after `last`, each once. Events that were too large for a frame of the stream are read from the log. */
async function* readStream(
  options: HttpFollowOptions,
  stream: AsyncIterable<Uint8Array> | undefined,
  id: string,
  last: number,
): AsyncGenerator<RunEvent, void> {
  if (stream === undefined) return;
  let expected = last + 1;
  for await (const frame of options.readSse(stream)) {
    if (frame.data === undefined) continue;
    // Frames of the hub hold exactly one event.
    const event = JSON.parse(frame.data) as RunEvent;
    if (event.sequence < expected) continue;
    if (event.sequence > expected) yield* readMissing(options, id, expected - 1, event.sequence);
    yield event;
    expected = event.sequence + 1;
  }
}

async function* readMissing(
  options: HttpFollowOptions,
  id: string,
  after: number,
  before: number,
): AsyncGenerator<RunEvent, void> {
  let last = after;
  for (;;) {
    const page = await options.readEvents(id, last);
    for (const event of page) {
      if (event.sequence >= before) return;
      yield event;
      last = event.sequence;
    }
    if (page.length === 0) return;
  }
}

/** Returns false for what the hub refuses. A broken connection or a hub that restarts may come back. */
function isWorthRetrying(error: unknown): boolean {
  return !ProctorError.is(error) || error.retryable;
}
