// From an agent's settings to the service it offers: by its card, by what the options say instead of one, or by the interface that a
// session before this one used. Credentials go with it only where the address or the options name the host.
import type { HttpClient } from "../../../channels/http/client.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import { ANONYMOUS, type ClientAuth } from "../client/auth/client-auth.ts";
import { knownVersion } from "../client/create-a2a-client.ts";
import { openClient } from "../client/open-client.ts";
import { discoverCard, type FoundCard, type Tried } from "../card/discover-card.ts";
import { addressOf, isGrpc, pickInterface } from "../card/pick-interface.ts";
import { trustHosts, type TrustedHosts } from "../card/trusted-hosts.ts";
import { whyNotTrusted } from "../card/trusted-card.ts";
import { failureOf } from "../client/transport-failure.ts";
import type { WireProblem } from "../codec.ts";
import { A2aError } from "../errors.ts";
import type { AgentInterface } from "../model.ts";
import type { A2aCall, A2aService, A2aVersion } from "../service.ts";
import type { WireTap } from "../../wire-tap.ts";
import { tapWire } from "../replay/tap-wire.ts";
import type { A2aSettings } from "./settings.ts";

export interface Connection {
  service: A2aService;
  interface: AgentInterface;
  version: A2aVersion;
  /** True when updates come as a stream. */
  streams: boolean;
}

export interface ConnectDeps {
  http: HttpClient;
  /** Returns the credentials of an agent; the same for the same options, so that tokens are shared. */
  authOf: (settings: A2aSettings) => ClientAuth;
  onProblem: (problem: WireProblem) => void;
  /** Notes messages that travel; absent where the run is not recorded. */
  tap?: WireTap | undefined;
}

export type Connect = typeof connect;

/** Interface that an earlier session used. */
export interface KnownInterface {
  interface: AgentInterface;
  streams: boolean;
}

/** Trace and signal that go with every request of a connection. */
type Traced = Pick<A2aCall, "traceId" | "spanId" | "signal">;

export async function connect(
  settings: A2aSettings,
  { known, ...traced }: Traced & { known?: KnownInterface },
  deps: ConnectDeps,
): Promise<Connection | { refused: Failure }> {
  const hosts = trustHosts(settings.url, [...settings.allow_hosts, ...ownHost(settings)]);
  const auth = deps.authOf(settings);
  const chosen = known ?? (await choose(settings, { ...traced, hosts, auth }, deps));
  if ("refused" in chosen) return chosen;
  const address = addressOf(chosen.interface, hosts.isSecure);
  const why = address === undefined ? "the interface's url is not valid" : hosts.refusal(address);
  const version = knownVersion(chosen.interface.protocolVersion);
  if (address === undefined || why !== undefined || version === undefined) {
    return refuse(why ?? `nobody here speaks A2A ${chosen.interface.protocolVersion}`);
  }
  const trusted = hosts.mayHaveCredentials(address);
  const { tap } = deps;
  try {
    const service = await openClient({
      interface: { ...chosen.interface, url: address.href },
      http: deps.http,
      // The certificates that we trust are not secret; our own are.
      auth: trusted ? auth : anonymous(settings),
      headers: { "user-agent": "proctor", ...(trusted && settings.headers) },
      onProblem: deps.onProblem,
      ...(tap && { tap: (wire) => tapWire(wire, tap) }),
    });
    const { interface: spoken, streams } = chosen;
    tap?.received("connection", JSON.stringify({ interface: spoken, streams }));
    return { ...chosen, service, version };
  } catch (error) {
    if (error instanceof A2aError) return { refused: failureOf(error, "the interface") };
    throw error;
  }
}

interface Chosen {
  interface: AgentInterface;
  streams: boolean;
}

async function choose(
  settings: A2aSettings,
  { hosts, auth, ...traced }: Traced & { hosts: TrustedHosts; auth: ClientAuth },
  { http, onProblem, tap }: ConnectDeps,
): Promise<Chosen | { refused: Failure }> {
  const plain = withoutCard(settings);
  // A gRPC server has no well-known path for a card.
  if (!settings.card || isGrpc(settings.url)) return plain ?? noInterface(settings);
  const headers = { "user-agent": "proctor", ...settings.headers };
  const call = { ...traced, extensions: [] };
  const found = await discoverCard({ url: settings.url, http, auth, headers, call });
  if (!found.ok) {
    const isMissing = settings.card_keys === undefined && !isUnreachable(found.tried);
    return (isMissing ? plain : undefined) ?? { refused: noCard(settings.url, found.tried) };
  }
  tap?.received("card", JSON.stringify(found.received), { name: found.version });
  for (const problem of found.problems) onProblem({ ...problem, path: `card.${problem.path}` });
  return byCard(found, settings, hosts, traced.signal);
}

async function byCard(
  { card, received, version }: FoundCard,
  settings: A2aSettings,
  hosts: TrustedHosts,
  signal: AbortSignal,
): Promise<Chosen | { refused: Failure }> {
  const keys = settings.card_keys;
  // A card of 0.3 is signed in the form in which it came too: the rules are the same.
  const unsigned = keys === undefined ? undefined : await whyNotTrusted(received, keys, signal);
  if (unsigned !== undefined) return refuse(`the agent's card (A2A ${version}) is not trusted: ${unsigned}`);
  const picked = pickInterface(card, settings, hosts);
  if (!picked.ok) return refuse(picked.why);
  return { interface: picked.interface, streams: settings.stream ?? card.capabilities.streaming === true };
}

/** Returns what the options say without a card; undefined when they do not say enough. */
function withoutCard(settings: A2aSettings): Chosen | undefined {
  const { url, binding, version, tenant, stream } = settings;
  const protocolBinding = binding ?? (isGrpc(url) ? "GRPC" : undefined);
  const protocolVersion = version ?? (isGrpc(url) ? "1.0" : undefined);
  if (protocolBinding === undefined || protocolVersion === undefined) return undefined;
  const address = settings.interface ?? url.href;
  return {
    interface: { url: address, protocolBinding, protocolVersion, ...(tenant !== undefined && { tenant }) },
    streams: stream ?? true,
  };
}

/** Returns the host of the interface that the options name. */
function ownHost({ interface: named }: A2aSettings): string[] {
  return named === undefined ? [] : [new URL(named).host.toLowerCase()];
}

function anonymous({ tls }: A2aSettings): ClientAuth {
  return tls?.ca === undefined ? ANONYMOUS : { ...ANONYMOUS, tls: { ca: tls.ca } };
}

function isUnreachable(tried: readonly Tried[]): boolean {
  return tried.some(({ error }) => error?.reason === "UNAVAILABLE");
}

function noCard({ origin }: URL, tried: readonly Tried[]): Failure {
  const [first] = tried;
  if (first?.error && tried.length === 1) {
    const failed = failureOf(first.error, "the request for its card");
    return { ...failed, message: `no agent card: ${failed.message}` };
  }
  const lines = tried.map(({ path, why }) => `${path}: ${why}`);
  const next = "give the address that has the card, or options.binding and options.version to go without one";
  return failure("INVALID_RESPONSE", `${origin} has no agent card\n${lines.join("\n")}\n${next}`, {
    tried: tried.map(({ path }) => path),
  });
}

function noInterface({ url }: A2aSettings): { refused: Failure } {
  return refuse(`options.binding and options.version must say what ${url.origin} speaks`);
}

function refuse(message: string): { refused: Failure } {
  return { refused: failure("INVALID_REQUEST", message) };
}
