// The ways to an agent: the interfaces that its card names, as far as somebody here speaks them and may go there.
import { addressOf } from "../card/pick-interface.ts";
import type { TrustedHosts } from "../card/trusted-hosts.ts";
import { knownVersion } from "../client/create-a2a-client.ts";
import type { AgentInterface } from "../model.ts";
import { BINDINGS, type A2aVersion, type Binding } from "../service.ts";

export interface Endpoint {
  interface: AgentInterface;
  binding: Binding;
  version: A2aVersion;
  /** Address of the endpoint; gRPC's begins with `grpc:`. */
  url: URL;
  /** Name in findings: `JSON-RPC 1.0`. */
  name: string;
  mayHaveCredentials: boolean;
}

const NAMES: Readonly<Record<Binding, string>> = {
  JSONRPC: "JSON-RPC",
  "HTTP+JSON": "HTTP+JSON",
  GRPC: "gRPC",
};

export interface Unusable {
  interface: AgentInterface;
  why: string;
}

/** Each binding and version once, in the order of the card. */
export function endpointsOf(
  interfaces: readonly AgentInterface[],
  hosts: TrustedHosts,
): { endpoints: Endpoint[]; unusable: Unusable[] } {
  const endpoints: Endpoint[] = [];
  const unusable: Unusable[] = [];
  for (const offered of interfaces) {
    const binding = BINDINGS.find((known) => known === offered.protocolBinding);
    const version = knownVersion(offered.protocolVersion);
    const url = addressOf(offered);
    const why =
      binding === undefined || version === undefined
        ? "nobody here speaks it"
        : url === undefined
          ? "its url is not valid"
          : hosts.refusal(url);
    if (binding === undefined || version === undefined || url === undefined || why !== undefined) {
      unusable.push({ interface: offered, why: why ?? "it cannot be used" });
      continue;
    }
    const name = `${NAMES[binding]} ${version}`;
    if (endpoints.some((known) => known.name === name)) continue;
    const mayHaveCredentials = hosts.mayHaveCredentials(url);
    endpoints.push({ interface: offered, binding, version, url, name, mayHaveCredentials });
  }
  return { endpoints, unusable };
}
