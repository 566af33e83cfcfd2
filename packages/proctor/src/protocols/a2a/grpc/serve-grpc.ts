// Puts services on the hub's gRPC port: lf.a2a.v1.A2AService and a2a.v1.A2AService. Which agent is meant is said by the metadata
// `proctor-agent` or `x-a2a-tenant`, or by `tenant` of a request of 1.0; who names none gets the default agent.
import type { Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerOf } from "../../../channels/grpc/caller-of.ts";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import type { Caller } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { GrpcRoutes } from "../../protocol.ts";
import type { A2aCodec, Loss } from "../codec.ts";
import { A2aError, type PatchLevel } from "../errors.ts";
import { perform, type Performable, type Performed } from "../http/perform.ts";
import { refusalOf } from "../http/refusal.ts";
import { A2A_VERSIONS, type A2aCall, type A2aService, type A2aVersion } from "../service.ts";
import { v1 } from "../v1/codec.ts";
import { agentOf, openGrpcCall, type GrpcCall } from "./open-call.ts";
import { protoJson03 } from "./proto-json-0_3.ts";
import { grpcOperations, streamMethod, unaryMethod, type GrpcOperation } from "./services.ts";
import { writeStatus } from "./write-status.ts";

export interface GrpcRoutesOptions {
  /** Resolves with the service of an agent, or of the default one where none is named; undefined, or AGENT_NOT_FOUND, where there is none. */
  serviceOf: (
    agent: string | undefined,
    caller: Caller,
  ) => A2aService | undefined | Promise<A2aService | undefined>;
  /** Patch level that decides the statuses of errors; 1.0.1 when absent. */
  patch?: PatchLevel;
  /** Versions that are served; all when absent. */
  versions?: readonly A2aVersion[];
  /**
   * Returns the address at which a client that called this one reaches the server over HTTP: `https://example.com`. The gRPC port itself when
   * absent.
   */
  originOf?: (called: URL) => string;
  /** Returns the path at which an agent is mounted there; `/a2a/{agent}` when absent. */
  basePathOf?: (agent: string | undefined) => string;
  /** Reports a failure of the service itself, of which a client only gets the trace id. */
  report: (problem: unknown, traceId: string) => void;
  /** Called with what an answer holds that the .proto cannot carry. */
  onLoss?: (loss: Loss, call: A2aCall) => void;
  /** Aborts when the server stops: calls that wait end. */
  stopping?: AbortSignal;
}

const CODECS: Readonly<Record<A2aVersion, A2aCodec>> = { "1.0": v1, "0.3": protoJson03 };

export function grpcRoutes(options: GrpcRoutesOptions): GrpcRoutes {
  const { patch = "1.0.1", versions = A2A_VERSIONS } = options;

  async function begin(
    open: GrpcCall,
    operation: Performable,
    params: JsonObject,
    caller: Caller,
  ): Promise<Performed> {
    const agent = agentOf(open.call.headers, params);
    const service = await options.serviceOf(agent, caller);
    if (!service) throw noAgent(agent);
    const call = { ...open.call, basePath: basePathOf(agent) };
    return perform(operation, params, { service, codec: CODECS[call.version], call, caller });
  }

  function basePathOf(agent: string | undefined): string {
    if (options.basePathOf) return options.basePathOf(agent);
    return agent === undefined ? "" : `/a2a/${encodeURIComponent(agent)}`;
  }

  /** Returns the thrown error as the status that the client gets. */
  function refusing(problem: unknown, { call }: GrpcCall): unknown {
    // A service whose call has ended may throw anything.
    const thrown = call.signal.aborted ? stopped() : problem;
    // There is no agent that could answer in A2A's form.
    if (ProctorError.is(thrown) && thrown.code === "AGENT_NOT_FOUND") return thrown;
    const report = (failed: unknown): void => options.report(failed, call.traceId);
    return writeStatus(refusalOf(thrown, call.traceId, report).error, call.version, patch);
  }

  function write(wire: GrpcOperation, json: JsonObject, { call }: GrpcCall): Message {
    const losses: Loss[] = [];
    const message = wire.encodeResult(json, losses);
    for (const loss of losses) options.onLoss?.(loss, call);
    return message;
  }

  async function answer(
    wire: GrpcOperation,
    [operation, version]: [Performable, A2aVersion],
    request: Message,
    context: HandlerContext,
  ): Promise<Message> {
    const open = openGrpcCall(context, { ...options, version });
    try {
      open.check(versions);
      const performed = await begin(open, operation, readRequest(wire, request), callerOf(context));
      open.announce(performed.extensions);
      const result = performed.kind === "result" && isJsonObject(performed.result) ? performed.result : {};
      return write(wire, result, open);
    } catch (thrown) {
      throw refusing(thrown, open);
    } finally {
      open.end();
    }
  }

  async function* stream(
    wire: GrpcOperation,
    [operation, version]: [Performable, A2aVersion],
    request: Message,
    context: HandlerContext,
  ): AsyncGenerator<Message> {
    const open = openGrpcCall(context, { ...options, version });
    try {
      open.check(versions);
      const performed = await begin(open, operation, readRequest(wire, request), callerOf(context));
      open.announce(performed.extensions);
      if (performed.kind !== "stream") return;
      for await (const { event } of performed.stream) {
        yield write(wire, CODECS[version].encodeFrame(event), open);
      }
      if (open.call.signal.aborted) throw stopped();
    } catch (thrown) {
      throw refusing(thrown, open);
    } finally {
      open.end();
    }
  }

  return (router) => {
    for (const version of versions) {
      for (const [operation, wire] of grpcOperations(version)) {
        // The public card is not a method of either version.
        if (operation === "card") continue;
        const what: [Performable, A2aVersion] = [operation, version];
        if (wire.method.methodKind === "unary")
          router.rpc(unaryMethod(wire), (request, context) => answer(wire, what, request, context));
        else router.rpc(streamMethod(wire), (request, context) => stream(wire, what, request, context));
      }
    }
  };
}

function readRequest(wire: GrpcOperation, request: Message): JsonObject {
  try {
    return wire.decodeRequest(request);
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
    throw new A2aError("INVALID_REQUEST", `the request cannot be read: ${problem.message}`);
  }
}

function stopped(): A2aError {
  return new A2aError("UNAVAILABLE", "the call ended before its answer was complete");
}

function noAgent(agent: string | undefined): ProctorError {
  const what = agent === undefined ? "there is no default agent" : "there is no such agent";
  return new ProctorError(
    "AGENT_NOT_FOUND",
    `${what}\nname one in the request's tenant, or in the metadata proctor-agent`,
  );
}
