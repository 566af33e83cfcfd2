// Envelopes over gRPC: service proctor.envelope.v1.Messages.
import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerOf } from "../../../channels/grpc/caller-of.ts";
import { requireScope, type Caller } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import { originOf } from "../../../core/trace.ts";
import type { GrpcRoutes } from "../../protocol.ts";
import type { EnvelopeDoorOptions } from "../http-routes.ts";
import { refusalOf, sendDraft, traceOfRequest, type RequestTrace } from "../send-drafts.ts";
import { createExchange } from "./exchange.ts";
import {
  ExchangeResponseSchema,
  Messages as MessagesService,
  type Envelope,
  type ExchangeRequest,
  type ExchangeResponse,
  type ReceiveRequest,
  type ReceiveResponse,
  type SendRequest,
  type SendResponse,
} from "./gen/proctor/envelope/v1/envelope_pb.ts";
import { decodeEnvelope, encodeEntry, encodeRefused, encodeSent } from "./messages.ts";

export function createGrpcRoutes({ messages, stopping }: EnvelopeDoorOptions): GrpcRoutes {
  async function send(envelope: Envelope | undefined, context: HandlerContext): Promise<SendResponse> {
    const caller = callerWith("messages:send", context);
    const value = envelope === undefined ? null : decodeEnvelope(envelope);
    return encodeSent(await sendDraft(messages, value, traceOf(context), caller));
  }

  async function* receive(
    { party, after }: ReceiveRequest,
    context: HandlerContext,
  ): AsyncGenerator<ReceiveResponse> {
    const caller = callerWith("messages:receive", context);
    const signal = AbortSignal.any([context.signal, stopping]);
    for await (const page of messages.follow(party, Number(after), signal, caller))
      for (const entry of page) yield encodeEntry(entry);
  }

  async function* exchange(
    requests: AsyncIterable<ExchangeRequest>,
    context: HandlerContext,
  ): AsyncGenerator<ExchangeResponse> {
    const caller = callerWith("messages:receive", context);
    const signal = AbortSignal.any([context.signal, stopping]);
    yield* createExchange<ExchangeRequest, ExchangeResponse>(
      requests,
      signal,
      async (request, answer, party) => {
        const { case: kind, value } = request.message;
        if (kind === "open") {
          if (party.name !== undefined)
            throw new ProctorError("INVALID_REQUEST", "the inbox is open already");
          party.name = value.party;
          const entries = messages.follow(value.party, Number(value.after), signal, caller);
          return answer.follow(entries, (entry) =>
            create(ExchangeResponseSchema, { message: { case: "entry", value: encodeEntry(entry) } }),
          );
        }
        if (kind === "ack") {
          if (party.name === undefined) throw new ProctorError("INVALID_REQUEST", "open an inbox first");
          return messages.acknowledge(party.name, Number(value), caller);
        }
        if (kind !== "envelope") throw new ProctorError("INVALID_REQUEST", "the message is empty");
        try {
          const sent = await send(value, context);
          answer.push(create(ExchangeResponseSchema, { message: { case: "sent", value: sent } }));
        } catch (error) {
          const refused = encodeRefused(refusalOf(error, decodeEnvelope(value)));
          answer.push(create(ExchangeResponseSchema, { message: { case: "refused", value: refused } }));
        }
      },
    );
  }

  return (router) => {
    router.service(MessagesService, {
      send: (request: SendRequest, context) => send(request.envelope, context),
      receive,
      exchange,
    });
  };
}

function callerWith(scope: "messages:send" | "messages:receive", context: HandlerContext): Caller {
  const caller = callerOf(context);
  requireScope(caller, scope);
  return caller;
}

function traceOf({ requestHeader }: HandlerContext): RequestTrace {
  return traceOfRequest(originOf(requestHeader.get("traceparent")));
}
