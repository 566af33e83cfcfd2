// A2A over gRPC on a free port of this machine: the server half with services of a test, and calls for the client half.
import { listenGrpc, type GrpcListening } from "../../../src/channels/grpc/listen-grpc.ts";
import { newTraceId } from "../../../src/core/trace.ts";
import { grpcRoutes, type GrpcRoutesOptions } from "../../../src/protocols/a2a/grpc/serve-grpc.ts";
import type { A2aCall, A2aService, A2aVersion } from "../../../src/protocols/a2a/service.ts";

export interface GrpcStage extends GrpcListening {
  /** Failures of services, and bugs. */
  reported: unknown[];
}

export async function serveA2aGrpc(
  services: A2aService | Record<string, A2aService>,
  options: Partial<GrpcRoutesOptions> & { maxMessageBytes?: number } = {},
): Promise<GrpcStage> {
  const reported: unknown[] = [];
  const { maxMessageBytes, ...more } = options;
  const routes = grpcRoutes({
    serviceOf: (agent) => (isService(services) ? services : services[agent ?? "default"]),
    report: (problem) => reported.push(problem),
    ...more,
  });
  const listening = await listenGrpc({
    host: "127.0.0.1",
    port: 0,
    routes: [routes],
    authorize: () => undefined,
    onError: (problem) => reported.push(problem),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
  });
  return { ...listening, reported };
}

function isService(value: A2aService | Record<string, A2aService>): value is A2aService {
  return typeof value["send"] === "function";
}

export function callOf(version: A2aVersion, more: Partial<A2aCall> = {}): A2aCall {
  return {
    version,
    binding: "GRPC",
    headers: {},
    extensions: [],
    origin: "http://127.0.0.1",
    basePath: "",
    traceId: newTraceId(),
    signal: new AbortController().signal,
    ...more,
  };
}
