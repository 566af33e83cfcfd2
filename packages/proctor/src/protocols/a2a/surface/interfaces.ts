// The interfaces that the card of one of the hub's agents lists: the addresses at which the card's reader reaches that agent, and no other.
import type { HubPlaces } from "../../protocol.ts";
import type { AgentInterface } from "../model.ts";
import { A2A_VERSIONS, type A2aCall, type A2aVersion } from "../service.ts";

export interface InterfaceOptions {
  agent: string;
  /** True when the agent is the one that clients reach without naming any. */
  isDefault: boolean;
  /** Ports of the hub; absent while it does not listen. */
  places?: HubPlaces | undefined;
}

/** Returns the newest version first, and JSON-RPC first: most clients speak it. */
export function interfacesOf(
  { origin, basePath }: Pick<A2aCall, "origin" | "basePath">,
  options: InterfaceOptions,
): AgentInterface[] {
  const url = origin + basePath;
  return A2A_VERSIONS.flatMap((protocolVersion) => [
    ...["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({ url, protocolBinding, protocolVersion })),
    ...grpcInterface(protocolVersion, origin, options),
  ]);
}

/** Returns the interface at the port that all agents share: clients of 1.0 repeat the tenant that the card names; 0.3 has no word for it. */
function grpcInterface(
  protocolVersion: A2aVersion,
  origin: string,
  { agent, isDefault, places }: InterfaceOptions,
): AgentInterface[] {
  const url = places && grpcAddress(origin, places);
  if (url === undefined) return [];
  const spoken = { url, protocolBinding: "GRPC", protocolVersion };
  if (protocolVersion === "1.0") return [{ ...spoken, tenant: agent }];
  return isDefault ? [spoken] : [];
}

/** Returns `host:port`, as 1.0 has it. A client that came over TLS is not led to a port without it. */
function grpcAddress(origin: string, { grpcPort, grpcPublicAddress }: HubPlaces): string | undefined {
  if (grpcPort === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  return grpcPublicAddress ?? (protocol === "http:" ? `${hostname}:${grpcPort}` : undefined);
}
