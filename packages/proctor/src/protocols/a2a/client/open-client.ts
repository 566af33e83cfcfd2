// A service that is elsewhere, whatever its binding. What only gRPC needs is loaded when it is spoken.
import type { AgentInterface } from "../model.ts";
import { BINDINGS, type A2aService } from "../service.ts";
import { createA2aClient, knownVersion, type A2aClientOptions } from "./create-a2a-client.ts";

/** Rejects with an A2aError for an interface with an unsupported binding or version. */
export async function openClient(options: A2aClientOptions): Promise<A2aService> {
  const { interface: spoken, auth, headers, passOn, limits, onProblem, tap } = options;
  const version = knownVersion(spoken.protocolVersion);
  if (spoken.protocolBinding === "GRPC" && version !== undefined) {
    const { createGrpcBinding } = await import("../grpc/client.ts");
    return createGrpcBinding({
      url: spoken.url,
      version,
      ...(spoken.tenant !== undefined && { tenant: spoken.tenant }),
      ...(auth && { auth }),
      ...(headers && { metadata: headers }),
      ...(passOn && { passOn }),
      ...(limits?.answerBytes !== undefined && { maxMessageBytes: limits.answerBytes }),
      ...(onProblem && { onProblem }),
      ...(tap && { tap }),
    });
  }
  return createA2aClient(options);
}

/** Returns whether the binding and version of the interface are supported. */
export function canSpeak({ protocolBinding, protocolVersion }: AgentInterface): boolean {
  return BINDINGS.some((known) => known === protocolBinding) && knownVersion(protocolVersion) !== undefined;
}
