// The frames of `POST /execute/stream`.
import type { ServerResponse } from "node:http";
import { createOutbox, type OutboxLimits } from "../outbox.ts";
import type { AtpEvent, AtpResponse } from "../protocol/messages.ts";

interface EventStream {
  event(event: AtpEvent): void;
  /** Sends the response as the last frame and ends the stream. */
  end(response: AtpResponse): void;
}

export interface EventStreamLimits extends OutboxLimits {
  /** Milliseconds without an event after which a comment is sent. */
  heartbeatMs: number;
}

export function openEventStream(response: ServerResponse, limits: EventStreamLimits): EventStream {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const outbox = createOutbox(response, limits);
  const send = (text: string): void => outbox.send(Buffer.from(text));
  const heartbeat = setInterval(() => send(": still working\n\n"), limits.heartbeatMs);
  response.once("close", () => clearInterval(heartbeat));

  return {
    event(event) {
      heartbeat.refresh();
      send(`event: event\nid: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`);
    },
    end(last) {
      clearInterval(heartbeat);
      send(`event: response\ndata: ${JSON.stringify(last)}\n\n`);
      outbox.end();
    },
  };
}
