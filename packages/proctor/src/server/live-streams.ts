// The event streams that are open now: a run's log as Server-Sent Events, replay first, then live until the run has ended; or the events
// of all runs. All of them end when the server stops.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../core/errors.ts";
import { encodeSse, type SseFrame } from "../runtime/http/encode-sse.ts";
import { sseBody } from "../runtime/http/sse-body.ts";
import type { Call } from "./call.ts";
import type { EventLog } from "./event-log.ts";
import { feedPages, type FeedRequest, type FeedSource } from "./feed-pages.ts";
import { createEventPages, type EventPage, type EventPages } from "./event-pages.ts";

export interface LiveStreams {
  /** Returns the body of a stream of the run's events after `after`; `ended` says whether the run has ended. */
  open(call: Call, runId: string, after: number, ended: boolean): ReadableStream<Uint8Array>;
  /** Returns the body of a stream of the events of all runs, which ends only with the reader or the server. */
  openFeed(call: Call, source: FeedSource, request: FeedRequest): ReadableStream<Uint8Array>;
  /**
   * Returns the body of a stream with one frame for each item; `open` gets the signal that ends it. A ProctorError becomes its last frame, an
   * event `end` with `{code, message}`.
   */
  openPages<T>(
    call: Call,
    open: (signal: AbortSignal) => AsyncIterable<T>,
    encode: (item: T) => string,
  ): ReadableStream<Uint8Array>;
  /** Ends every stream; clients come back with their last sequence. Streams opened later end at once. */
  end(): void;
}

interface LiveStreamsOptions {
  log: EventLog;
  keepAliveMs: number;
  onFailure: (call: Call, cause: unknown) => void;
}

/** Milliseconds after which a reader that lost its connection comes back. */
const RETRY_MS = 1000;
const START = encodeSse({ retry: RETRY_MS });

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

export function createLiveStreams({ log, keepAliveMs, onFailure }: LiveStreamsOptions): LiveStreams {
  const stopping = new AbortController();
  // Every stream listens to it.
  setMaxListeners(0, stopping.signal);
  const pages = createEventPages(log);
  const options = (call: Call) => ({
    start: START,
    keepAliveMs,
    stops: [stopping.signal],
    onFailure(cause: unknown) {
      onFailure(call, cause);
      return undefined;
    },
  });
  return {
    open: (call, runId, after, ended) =>
      sseBody(({ signal }) => eventPages(log, pages, { runId, after, ended }, signal), {
        ...options(call),
        encode: ({ bytes }) => bytes,
      }),
    openFeed: (call, source, request) =>
      sseBody(({ signal }) => feedPages(source, request, signal), {
        ...options(call),
        encode: (page) => page,
      }),
    openPages: (call, open, encode) =>
      sseBody(({ signal }) => open(signal), {
        ...options(call),
        encode,
        onFailure(cause) {
          if (ProctorError.is(cause)) return endFrame(cause);
          onFailure(call, cause);
          return undefined;
        },
      }),
    end: () => stopping.abort(),
  };
}

/** Returns the last frame of a stream that the hub itself ends, which says why. */
function endFrame({ code, message }: ProctorError): SseFrame {
  return { event: "end", data: JSON.stringify({ code, message }) };
}

interface Place {
  runId: string;
  after: number;
  /** True when the run had ended before the stream was opened: there is nothing to wait for. */
  ended: boolean;
}

/** Ends after `run.ended`, with the log of a run that had ended before or was removed, or when the signal aborts. */
async function* eventPages(
  log: Pick<EventLog, "wait">,
  pages: EventPages,
  { runId, after, ended }: Place,
  signal: AbortSignal,
): AsyncGenerator<EventPage> {
  let last = after;
  let woken = false;
  while (!signal.aborted) {
    const page = await pages.read(runId, last);
    if (page !== undefined) {
      yield page;
      if (page.ended) return;
      last = page.last;
      // A page that was kept may be older than the end of the run.
      if (page.full || ended) continue;
    }
    // Woken without a new event: the run is gone.
    if (ended || (woken && page === undefined)) return;
    woken = true;
    await log.wait(runId, last, signal);
  }
}
