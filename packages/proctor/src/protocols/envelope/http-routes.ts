// Envelopes over HTTP: sent by POST, received by long poll or as an event stream, acknowledged by position.
import { ProctorError } from "../../core/errors.ts";
import type { Messages } from "../../core/ports/messages.ts";
import { originWithin } from "../../core/trace.ts";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../runtime/http/route.ts";
import { sseBody } from "../../runtime/http/sse-body.ts";
import { validate } from "../../runtime/http/validate.ts";
import { parseEnvelopes } from "./parse-envelopes.ts";
import { sendDraft, sendDrafts, traceOfRequest } from "./send-drafts.ts";
import { TAG } from "./tag.ts";
import { AckBody, EntryDocument, EntryList, MAX_BATCH, ReceiveQuery, SendAnswer, SendBody } from "./wire.ts";

export interface EnvelopeDoorOptions {
  messages: Messages;
  keepAliveMs: number;
  /** Aborts when the hub stops. */
  stopping: AbortSignal;
  report: (problem: unknown, runId: string) => void;
}

/** Bytes of a whole list of envelopes; the size of one is checked where they are kept. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const DEFAULT_LIMIT = 100;
const EVENT_STREAM = /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i;
const EXAMPLE = { to: "writer", type: "request", action: "execute", payload: { task: "Say hello" } };
const NOT_YOURS = { description: "The token is not for this party." };

export function httpRoutes(options: EnvelopeDoorOptions): Route[] {
  const { messages, keepAliveMs, stopping, report } = options;

  function stream({ request, caller }: RouteCall, receiver: string, after: number): Response {
    const body = sseBody(({ signal }) => messages.follow(receiver, after, signal, caller), {
      encode: (page) =>
        page.map((entry) => encodeSse({ id: `${entry.position}`, data: JSON.stringify(entry) })).join(""),
      start: encodeSse({ comment: "connected" }),
      keepAliveMs,
      stops: [stopping],
      client: request.signal,
      onFailure(problem) {
        report(problem, "");
        return undefined;
      },
    });
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      },
    });
  }

  return [
    {
      id: "sendEnvelopes",
      method: "POST",
      path: "/messages",
      tag: TAG,
      summary: "Send an envelope, or a list of them",
      description:
        "Answers when it is on disk. An envelope with the `from` and `id` of another one is taken once and answered as that was. A list is answered item by item, and a refused item holds up none of the others.",
      scope: "messages:send",
      headers: { traceparent: "The trace of envelopes that name none." },
      body: { schema: SendBody, required: true, example: EXAMPLE },
      responses: {
        202: { description: "It is kept and will be delivered.", schema: SendAnswer },
        400: { description: "It is malformed; `details` name the fields." },
        403: { description: "`from` is another's." },
        404: { description: "There is no such agent, or none with this capability." },
        409: { description: "The id was used for another envelope, or the envelope is older than a day." },
        413: { description: "It is too large." },
        429: { description: "The inbox is full.", headers: { "Retry-After": "Seconds to wait." } },
        508: { description: "These envelopes go round in circles." },
      },
      async handle({ request, traceId, caller }) {
        if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
        const sent = await readJson(request, { limitBytes: MAX_BODY_BYTES, parse: parseEnvelopes });
        const trace = traceOfRequest(originWithin(traceId, request.headers.get("traceparent")));
        if (!Array.isArray(sent)) return jsonResponse(await sendDraft(messages, sent, trace, caller), 202);
        if (sent.length === 0 || sent.length > MAX_BATCH)
          throw new ProctorError("INVALID_REQUEST", `a list has 1 to ${MAX_BATCH} envelopes`);
        return jsonResponse({ items: await sendDrafts(messages, sent, trace, caller) }, 202);
      },
    },
    {
      id: "receiveEnvelopes",
      method: "GET",
      path: "/messages",
      tag: TAG,
      summary: "Receive envelopes",
      description:
        "What waits in an inbox, in order, from the first that is not acknowledged. With `wait` the answer comes when there is something. With `Accept: text/event-stream` it is a stream: each frame's `id` is its position, and `Last-Event-ID` acknowledges everything up to it.",
      scope: "messages:receive",
      query: ReceiveQuery,
      headers: {
        "Last-Event-ID": "Of a stream: acknowledges everything up to this position; wins over `after`.",
      },
      responses: {
        200: {
          description: "The entries; none when nothing came.",
          schema: EntryList,
          frames: EntryDocument,
        },
        400: { description: "A parameter is wrong." },
        403: NOT_YOURS,
      },
      async handle(call) {
        const { request, caller } = call;
        const {
          for: receiver,
          after = 0,
          wait = 0,
          limit = DEFAULT_LIMIT,
        } = readQuery(request.url, ReceiveQuery);
        if (EVENT_STREAM.test(request.headers.get("accept") ?? ""))
          return stream(call, receiver, lastEventId(request) ?? after);
        const signal = wait > 0 ? AbortSignal.any([request.signal, stopping]) : request.signal;
        const items = await messages.receive(receiver, { after, limit, waitMs: wait * 1000 }, signal, caller);
        return jsonResponse({ items });
      },
    },
    {
      id: "acknowledgeEnvelopes",
      method: "POST",
      path: "/messages/ack",
      tag: TAG,
      summary: "Acknowledge envelopes",
      description: "Everything up to the position is not handed out again.",
      scope: "messages:receive",
      body: { schema: AckBody, required: true, example: { for: "user:ada", up_to: 42 } },
      responses: { 204: { description: "It is written down." }, 403: NOT_YOURS },
      async handle({ request, caller }) {
        const read = await readJson(request, { limitBytes: MAX_BODY_BYTES });
        const { for: receiver, up_to: upTo } = validate(AckBody, read, "body");
        await messages.acknowledge(receiver, upTo, caller);
        return emptyResponse(204);
      },
    },
  ];
}

function lastEventId({ headers }: Request): number | undefined {
  const seen = headers.get("last-event-id") ?? "";
  if (seen === "") return undefined;
  if (/^\d{1,15}$/.test(seen)) return Number(seen);
  throw new ProctorError("INVALID_REQUEST", "Last-Event-ID: expected the position of an entry");
}
