// The registry over gRPC: messages are turned into the documents that HTTP has, and back, and everything else is the registry's.
import { fromJson, toJson, type DescMessage, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { requireScope, type Caller } from "../../core/caller.ts";
import type { Registry as RegistryPort } from "../../core/ports/registry.ts";
import type { Scope } from "../../core/scope.ts";
import * as wire from "./gen/proctor/registry/v1/registry_pb.ts";

export interface RegistryServiceDeps {
  registry: RegistryPort;
  /** Returns the caller of a call. */
  callerOf: (context: HandlerContext) => Caller;
}

export function registryService({
  registry,
  callerOf,
}: RegistryServiceDeps): (router: ConnectRouter) => void {
  function callerWith(scope: Scope, context: HandlerContext): Caller {
    const caller = callerOf(context);
    requireScope(caller, scope);
    return caller;
  }

  async function beat(request: wire.HeartbeatRequest, caller: Caller): Promise<wire.HeartbeatResponse> {
    const { name, ...given } = documentOf(wire.HeartbeatRequestSchema, request);
    return messageOf(wire.HeartbeatResponseSchema, await registry.beat(textOf(name), given, caller));
  }

  return (router) => {
    router.service(wire.Registry, {
      async register(request, context) {
        const caller = callerWith("agents:register", context);
        // The registry checks its arguments, whichever endpoint they come from.
        const asked = documentOf(wire.RegisterRequestSchema, request) as never;
        return messageOf(wire.RegisterResponseSchema, await registry.register(asked, caller));
      },
      async update(request, context) {
        const caller = callerWith("agents:register", context);
        const { name, ...changes } = documentOf(wire.UpdateRequestSchema, request);
        const agent = await registry.update(textOf(name), changes, caller);
        return messageOf(wire.UpdateResponseSchema, { agent });
      },
      async heartbeat(request, context) {
        return beat(request, callerWith("agents:register", context));
      },
      async *heartbeatStream(requests, context) {
        const caller = callerWith("agents:register", context);
        for await (const request of requests) {
          if (request.beat === undefined) continue;
          yield { answer: await beat(request.beat, caller) };
        }
      },
      async deregister({ name }, context) {
        await registry.deregister(name, callerWith("agents:register", context));
        return {};
      },
      async get({ name }, context) {
        callerWith("agents:read", context);
        return messageOf(wire.GetResponseSchema, { agent: await registry.get(name) });
      },
      async list(request, context) {
        callerWith("agents:read", context);
        const page = await registry.list(documentOf(wire.ListRequestSchema, request));
        return messageOf(wire.ListResponseSchema, page);
      },
      async search(request, context) {
        callerWith("agents:read", context);
        const found = await registry.search(documentOf(wire.SearchRequestSchema, request));
        return messageOf(wire.SearchResponseSchema, found);
      },
      async *watch({ after }, context) {
        callerWith("agents:read", context);
        for await (const change of registry.watch(after, context.signal)) {
          yield messageOf(wire.WatchResponseSchema, change);
        }
      },
    });
  };
}

type Document = Record<string, JsonValue>;

/** Returns the message as the JSON that HTTP has. Fields that were left out stay out. */
function documentOf<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Document {
  // A message is always an object in JSON.
  return toJson(schema, message, { useProtoFieldName: true }) as Document;
}

/** Returns a message. Fields that it does not have, such as the parts of an address, are left out. */
function messageOf<Desc extends DescMessage>(schema: Desc, document: object): MessageShape<Desc> {
  // Documents of the hub are JSON.
  return fromJson(schema, document as JsonValue, { ignoreUnknownFields: true });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
