// A stream of A2A as the body of a response: one SSE frame each, with the id from which it can be continued. An error in the midst of it is
// a last frame in the binding's form.
import { encodeSse, type SseFrame } from "../../../runtime/http/encode-sse.ts";
import { sseBody } from "../../../runtime/http/sse-body.ts";
import type { StreamResponse } from "../model.ts";
import type { A2aStream } from "../service.ts";
import type { OpenCall } from "./open-call.ts";
import type { Serving } from "./serving.ts";

export interface StreamBodyOptions {
  open: OpenCall;
  /** Aborts when the client leaves. */
  client: AbortSignal;
  /** Encodes an event as the data of a frame: JSON. */
  encode: (event: StreamResponse) => string;
  /** Returns the frame that ends a stream that failed. */
  failed: (thrown: unknown) => SseFrame;
}

/** Milliseconds after which a client that lost its connection comes back. */
const RETRY_MS = 1000;
const START = encodeSse({ retry: RETRY_MS });

export function streamBody(
  stream: A2aStream,
  { keepAliveMs, stopping }: Pick<Serving, "keepAliveMs" | "stopping">,
  { open, client, encode, failed }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  return sseBody(() => stream, {
    start: START,
    encode: ({ event, id }) =>
      encodeSse(id === undefined ? { data: encode(event) } : { id, data: encode(event) }),
    keepAliveMs,
    stops: [stopping],
    client,
    onClose: () => open.end(),
    onFailure: failed,
  });
}

export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;
