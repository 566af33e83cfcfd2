// Sends an answer: a JSON document, or a stream of them that may be cut on purpose. A client that reads slowly is waited for.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { pause } from "../../runtime/time/pause.ts";

export interface JsonReply {
  status: number;
  headers?: Record<string, string>;
  body: JsonObject;
}

export interface StreamReply {
  events: Iterable<StreamEvent>;
  /** After the last event the connection is cut, instead of the stream being ended. */
  cut: boolean;
}

export interface StreamEvent {
  data: JsonObject;
  /** How long to wait before it. */
  delayMs: number;
}

export type Reply = JsonReply | StreamReply;

export async function sendReply(
  outgoing: ServerResponse,
  reply: Reply,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  if ("body" in reply) return sendJson(outgoing, reply);
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-store",
  });
  for (const { data, delayMs } of reply.events) {
    if (delayMs > 0) await pause(clock, delayMs, signal);
    await write(outgoing, `data: ${JSON.stringify(data)}\n\n`, signal);
  }
  if (!reply.cut) return void outgoing.end("data: [DONE]\n\n");
  // What was sent before arrives; the end of the body never does.
  outgoing.socket?.destroySoon();
}

export function sendJson(outgoing: ServerResponse, { status, headers = {}, body }: JsonReply): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  outgoing.end(text);
}

async function write(outgoing: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!outgoing.write(text)) await once(outgoing, "drain", { signal });
}
