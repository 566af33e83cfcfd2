// The event streams that are open now, so that the server can end them when it stops.
import type { Call } from "./call.ts";
import { bodyStream } from "../runtime/http/body-stream.ts";
import type { EventLog } from "./event-log.ts";
import { createEventPages, type EncodeSse } from "./event-pages.ts";
import { eventStream } from "./event-stream.ts";

export interface LiveStreams {
  /** The body of a stream of the run's events after `after`; `ended` says that the run has. */
  open(call: Call, runId: string, after: number, ended: boolean): ReadableStream<Uint8Array>;
  /** Ends every stream; clients come back with their last sequence. Streams opened later end at once. */
  end(): void;
}

export interface LiveStreamsOptions {
  log: EventLog;
  encode: EncodeSse;
  keepAliveMs: number;
  onFailure: (call: Call, cause: unknown) => void;
}

export function createLiveStreams({ log, encode, keepAliveMs, onFailure }: LiveStreamsOptions): LiveStreams {
  const open = new Set<AbortController>();
  const pages = createEventPages(log, encode);
  let ended = false;
  return {
    open(call, runId, after, hasEnded) {
      const stop = new AbortController();
      if (ended) stop.abort();
      open.add(stop);
      const bytes = eventStream(log, pages, {
        encode,
        runId,
        after,
        ended: hasEnded,
        keepAliveMs,
        signal: stop.signal,
      });
      return bodyStream(bytes, {
        onClose() {
          open.delete(stop);
          stop.abort();
        },
        onFailure(cause) {
          onFailure(call, cause);
          // A stream that ends is a stream to come back to: nothing is lost.
          return true;
        },
      });
    },
    end() {
      ended = true;
      for (const stop of open) stop.abort();
    },
  };
}
