// An answer as a response: a JSON document, or a stream of them that may be cut on purpose. A client that reads slowly is waited for.
import type { JsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { bodyStream } from "../../runtime/http/body-stream.ts";
import { jsonResponse, type PlainHeaders } from "../../runtime/http/respond.ts";
import { pause } from "../../runtime/time/pause.ts";

interface JsonReply {
  status: number;
  headers?: PlainHeaders;
  body: JsonObject;
}

export interface StreamReply {
  events: Iterable<StreamEvent>;
  /** True when the connection is cut after the last event instead of ending the stream. */
  cut: boolean;
}

export interface StreamEvent {
  data: JsonObject;
  /** Milliseconds to wait before the event is sent. */
  delayMs: number;
}

export type Reply = JsonReply | StreamReply;

interface ReplyOptions {
  clock: Clock;
  /** Aborted when the client leaves or the mock stops. */
  signal: AbortSignal;
  /** Breaks the stream off after what was written: cuts the connection and waits until it is gone, or rejects. */
  breakOff: () => Promise<void>;
  /** Cuts the connection at once. Where there is none, the stream itself errors instead. */
  destroy?: () => void;
  /** Called when nothing more is sent. */
  onClose?: () => void;
}

export function replyResponse(reply: Reply, options: ReplyOptions): Response {
  const { signal, destroy, onClose } = options;
  if ("body" in reply) {
    onClose?.();
    return jsonResponse(reply.body, reply.status, reply.headers);
  }
  const giveUp = (): boolean => {
    destroy?.();
    onClose?.();
    return destroy !== undefined;
  };
  // A client that does not read would never reach the end.
  signal.addEventListener("abort", giveUp, { once: true });
  const body = bodyStream(frames(reply, options), {
    onClose() {
      signal.removeEventListener("abort", giveUp);
      onClose?.();
    },
    onFailure: giveUp,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache, no-store" },
  });
}

async function* frames(
  { events, cut }: StreamReply,
  { clock, signal, breakOff }: ReplyOptions,
): AsyncGenerator<Uint8Array> {
  for (const { data, delayMs } of events) {
    if (delayMs > 0) await pause(clock, delayMs, signal);
    signal.throwIfAborted();
    yield Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
  }
  if (cut) await breakOff();
  else yield Buffer.from("data: [DONE]\n\n");
}
