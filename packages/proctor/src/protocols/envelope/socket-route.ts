// Envelopes over a WebSocket: what waits for a party and what comes goes to the client; what the client sends goes to inboxes.
import { z } from "zod";
import { createHangUp } from "../../channels/websocket/hang-up.ts";
import { OPERATOR, requireScope, type Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { MessageSocket } from "../../core/ports/message-socket.ts";
import type { Messages } from "../../core/ports/messages.ts";
import { originWithin } from "../../core/trace.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import type { Route } from "../../runtime/http/route.ts";
import { validate } from "../../runtime/http/validate.ts";
import type { EnvelopeDoorOptions } from "./http-routes.ts";
import { parseEnvelopes } from "./parse-envelopes.ts";
import { refusalOf, sendDraft, traceOfRequest, type RequestTrace } from "./send-drafts.ts";
import { TAG } from "./tag.ts";
import { DraftBody, EntryDocument, RefusedDocument, SentDocument, SocketAck, SocketQuery } from "./wire.ts";

const SUBPROTOCOL = "envelope.v2";
/** Envelopes of one client that are written at the same time; the rest waits in the socket. */
const SENDING = 64;

export function socketRoute({ messages, stopping }: EnvelopeDoorOptions): Route {
  return {
    id: "connectEnvelopes",
    method: "GET",
    path: "/messages/ws",
    tag: TAG,
    summary: "Send and receive envelopes over a WebSocket",
    description:
      'Subprotocol `envelope.v2`, one JSON object per text frame. The client sends envelopes and `{"ack": position}`; it receives entries, and for each envelope `{"sent": …}` or `{"refused": …}`. A client that comes back gets what it has not acknowledged.',
    scope: "messages:receive",
    query: SocketQuery,
    responses: {
      101: { description: "It is a WebSocket from here on." },
      403: { description: "The token is not for this party." },
      426: { description: "The request does not ask for a WebSocket." },
    },
    socket: {
      sends: z.union([DraftBody, SocketAck]),
      hears: z.union([
        EntryDocument,
        z.strictObject({ sent: SentDocument }),
        z.strictObject({ refused: RefusedDocument }),
      ]),
    },
    async accept({ request, traceId, caller }) {
      if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      const { for: receiver, after = 0 } = readQuery(request.url, SocketQuery);
      // Refuses a foreign inbox before the socket is open.
      await messages.acknowledge(receiver, after, caller);
      const trace = traceOfRequest(originWithin(traceId, request.headers.get("traceparent")));
      return {
        protocols: [SUBPROTOCOL],
        serve: (socket) => serveEnvelopes(socket, { messages, stopping, receiver, caller, trace }),
      };
    },
  };
}

interface ServeOptions {
  messages: Messages;
  stopping: AbortSignal;
  receiver: string;
  caller: Caller | undefined;
  trace: RequestTrace;
}

/** Serves until the socket is closed. Throws failures on our side. */
async function serveEnvelopes(socket: MessageSocket, options: ServeOptions): Promise<void> {
  const { messages, stopping, receiver, caller, trace } = options;
  const line = createHangUp(socket, stopping);
  const gone = new AbortController();
  const sending = new Set<Promise<void>>();

  async function tell(): Promise<void> {
    for await (const page of messages.follow(receiver, 0, gone.signal, caller))
      for (const entry of page) if (!(await socket.send(JSON.stringify(entry)))) return;
  }

  async function take(value: Json | undefined): Promise<void> {
    try {
      if (isJsonObject(value) && "ack" in value) {
        await messages.acknowledge(receiver, validate(SocketAck, value, "body").ack, caller);
        return;
      }
      requireScope(caller ?? OPERATOR, "messages:send");
      const sent = await sendDraft(messages, value ?? null, trace, caller);
      await socket.send(JSON.stringify({ sent }));
    } catch (error) {
      await socket.send(JSON.stringify({ refused: refusalOf(error, value) }));
    }
  }

  const telling = tell().catch((error: unknown) => void (gone.signal.aborted || line.fail(error)));
  try {
    for await (const text of socket.messages) {
      if (sending.size >= SENDING) await Promise.race(sending);
      const work: Promise<void> = hear(text, take)
        .catch((error: unknown) => line.fail(error))
        .finally(() => sending.delete(work));
      sending.add(work);
    }
  } finally {
    line.release();
    gone.abort();
    await Promise.all([telling, ...sending]);
  }
  line.throwFailure();
}

async function hear(text: string, take: (value: Json | undefined) => Promise<void>): Promise<void> {
  let value: Json;
  try {
    value = parseEnvelopes(text);
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    // Taken as an absent value, which is refused in its turn.
    return take(undefined);
  }
  return take(value);
}
