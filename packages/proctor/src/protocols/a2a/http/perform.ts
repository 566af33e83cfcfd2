// One operation of a service, from parameters in a version's JSON to a result in it, or to a stream of frames.
import { OPERATOR, requireScope, type Caller } from "../../../core/caller.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Json } from "../../../core/json.ts";
import type { A2aCodec, ResultOf, ResultOperation } from "../codec.ts";
import type { SendRequest } from "../model.ts";
import type { A2aCall, A2aOperation, A2aService, A2aStream } from "../service.ts";
import { activeExtensions, checkCapabilities, requirePush } from "./check-capabilities.ts";

export type Performed = {
  /** Extensions that are in use. */
  extensions: readonly string[];
} & ({ kind: "result"; result: Json } | { kind: "stream"; stream: A2aStream });

/** Every operation except the public card, which is requested by a path. */
export type Performable = Exclude<A2aOperation, "card">;

export interface PerformOptions {
  service: A2aService;
  codec: A2aCodec;
  call: A2aCall;
  /** The caller; undefined for the operator of the server. */
  caller: Caller | undefined;
  /** True when no client waits for the end of a task or reads its stream. */
  unattended?: boolean;
}

/** Scope that a token needs for each operation. */
export const SCOPE_OF: Readonly<Record<Performable, Scope>> = {
  send: "runs:write",
  stream: "runs:write",
  cancelTask: "runs:write",
  createPushConfig: "runs:write",
  deletePushConfig: "runs:write",
  subscribe: "runs:read",
  getTask: "runs:read",
  listTasks: "runs:read",
  getPushConfig: "runs:read",
  listPushConfigs: "runs:read",
  extendedCard: "agents:read",
};

/** Throws A2aError, SCOPE_MISSING, or whatever the service throws. */
export async function perform(
  operation: Performable,
  params: Json,
  { service, codec, call, caller = OPERATOR, unattended = false }: PerformOptions,
): Promise<Performed> {
  // The call is not copied: its properties are computed when they are read.
  call.caller = caller;
  requireScope(caller, SCOPE_OF[operation]);
  const card = await service.card(call);
  checkCapabilities(card, operation, call.extensions);
  const extensions = activeExtensions(card, call.extensions);

  async function resulting<O extends ResultOperation>(
    name: O,
    result: Promise<ResultOf<O>>,
  ): Promise<Performed> {
    return { kind: "result", result: codec.encodeResult(name, await result), extensions };
  }

  function sending(name: "send" | "stream"): SendRequest {
    const request = codec.decodeRequest(name, params);
    if (request.configuration?.taskPushNotificationConfig !== undefined) requirePush(card);
    return request;
  }

  switch (operation) {
    case "send": {
      const request = sending("send");
      return resulting("send", service.send(unattended ? immediate(request) : request, call));
    }
    case "stream": {
      const request = sending("stream");
      if (unattended) return resulting("send", service.send(immediate(request), call));
      return { kind: "stream", stream: await service.stream(request, call), extensions };
    }
    case "subscribe":
      return {
        kind: "stream",
        stream: await service.subscribe(codec.decodeRequest("subscribe", params), call),
        extensions,
      };
    case "getTask":
      return resulting("getTask", service.getTask(codec.decodeRequest("getTask", params), call));
    case "listTasks":
      return resulting("listTasks", service.listTasks(codec.decodeRequest("listTasks", params), call));
    case "cancelTask":
      return resulting("cancelTask", service.cancelTask(codec.decodeRequest("cancelTask", params), call));
    case "createPushConfig":
      return resulting(
        "createPushConfig",
        service.createPushConfig(codec.decodeRequest("createPushConfig", params), call),
      );
    case "getPushConfig":
      return resulting(
        "getPushConfig",
        service.getPushConfig(codec.decodeRequest("getPushConfig", params), call),
      );
    case "listPushConfigs":
      return resulting(
        "listPushConfigs",
        service.listPushConfigs(codec.decodeRequest("listPushConfigs", params), call),
      );
    case "deletePushConfig":
      return resulting(
        "deletePushConfig",
        service.deletePushConfig(codec.decodeRequest("deletePushConfig", params), call),
      );
    case "extendedCard":
      return resulting("extendedCard", service.extendedCard(call));
  }
}

function immediate(request: SendRequest): SendRequest {
  return { ...request, configuration: { ...request.configuration, returnImmediately: true } };
}
