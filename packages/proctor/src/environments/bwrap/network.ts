// The network of an environment: its own, this machine's, or that of another environment which it joins; and what of this machine is
// reached in it.
import type { EnvironmentFacts, NetworkMode } from "../../core/environment.ts";
import { openForward, type Forward } from "../network/forward.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import type { Keeper } from "./keeper.ts";

interface OpenNetwork {
  keeper: Keeper;
  mode: NetworkMode;
  /** Ports of this machine that can be reached in the network. */
  ports: readonly number[];
  /** Variables that name the proxy out of the network. */
  env: Readonly<Record<string, string>>;
}

/** Open networks by the facts of their environment, which stay the same object where the environment is wrapped. */
const open = new WeakMap<EnvironmentFacts, OpenNetwork>();

export function rememberNetwork(facts: EnvironmentFacts, network: OpenNetwork): void {
  open.set(facts, network);
}

export function sharedNetwork({ network }: PreparedEnvironment): OpenNetwork | undefined {
  if (network === undefined) return undefined;
  const shared = open.get(network.facts);
  if (shared !== undefined) return shared;
  throw refuse("an environment can share the network of one of the same kind only", [
    "use the same environment for both",
  ]);
}

interface ForwardOptions {
  keeper: Keeper;
  stateDir: string;
  request: PreparedEnvironment;
  mode: NetworkMode;
  shared: OpenNetwork | undefined;
}

/** Resolves with what has to be forwarded. The network of this machine already has all ports, and a shared one has some. */
export async function forwardTo(
  options: ForwardOptions,
): Promise<{ network: OpenNetwork; forward: Forward | undefined }> {
  const { keeper, stateDir, request, mode, shared } = options;
  const wanted = mode === "host" ? [] : (request.ports ?? []);
  const ports = wanted.filter((port) => shared?.ports.includes(port) !== true);
  const proxied = mode === "allow-list" && shared === undefined;
  const forward =
    ports.length === 0 && !proxied
      ? undefined
      : await openForward({
          enter: keeper.enterNetwork,
          stateDir,
          id: request.id,
          ports,
          ...(proxied && { allowHosts: request.options.allow_hosts ?? [] }),
          signal: request.signal,
        });
  const network = {
    keeper,
    mode,
    ports: [...(shared?.ports ?? []), ...ports],
    env: { ...shared?.env, ...forward?.env },
  };
  return { network, forward };
}
