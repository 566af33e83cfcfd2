// A scripted agent over gRPC: the profile at the root, or the one that the call names as its agent.
import { listenGrpc, type GrpcListening } from "../../channels/grpc/listen-grpc.ts";
import type { ScriptedAgentHandle } from "../../doubles/scripted/assemble-agent.ts";
import { PROFILE_NAMES, type ProfileName } from "../../doubles/scripted/profiles.ts";
import type { PatchLevel } from "../../protocols/a2a/errors.ts";
import { grpcRoutes } from "../../protocols/a2a/grpc/serve-grpc.ts";
import type { AuthPolicy } from "../../server/auth.ts";

interface ScriptedGrpc {
  agent: ScriptedAgentHandle;
  /** Origin at which the agent is reached over HTTP. */
  origin: string;
  root: ProfileName;
  auth: AuthPolicy;
}

const HOST = "127.0.0.1";
/** Bytes of the largest message: room for directives as large as those over HTTP. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export function serveScriptedGrpc(
  port: number,
  { agent, origin, root, auth }: ScriptedGrpc,
  { stopping, patch }: { stopping: AbortSignal; patch: PatchLevel | undefined },
): Promise<GrpcListening> {
  const routes = grpcRoutes({
    serviceOf(name) {
      const profile = name === undefined ? root : PROFILE_NAMES.find((one) => one === name);
      return profile && agent.services[profile];
    },
    basePathOf: (name) => (name === undefined ? "" : `/${name}`),
    originOf: () => origin,
    stopping,
    ...(patch && { patch }),
    report: () => undefined,
  });
  return listenGrpc({
    host: HOST,
    port,
    routes: [routes],
    maxMessageBytes: MAX_MESSAGE_BYTES,
    authorize: (request) => auth.checkPlace(request),
    onError: () => undefined,
  });
}
