// One agent behind the gateway: its card, as fresh as configured, and the service that the card leads to. Credentials go only to hosts that
// the configuration names, never to one that only the card named.
import type { HttpClient } from "../../../channels/http/client.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { randomHex } from "../../../core/random.ts";
import { discoverCard } from "../card/discover-card.ts";
import { addressOf, pickInterface, type Wanted } from "../card/pick-interface.ts";
import { trustHosts } from "../card/trusted-hosts.ts";
import { ANONYMOUS, type ClientAuth } from "../client/auth/client-auth.ts";
import { createA2aClient, knownVersion } from "../client/create-a2a-client.ts";
import { A2aError } from "../errors.ts";
import type { AgentCard } from "../model.ts";
import type { A2aCall, A2aService, A2aVersion } from "../service.ts";
import { createCardCache } from "./card-cache.ts";
import { hideAddresses, hidingAddresses } from "./hide-addresses.ts";

export interface Connection {
  card: AgentCard;
  service: A2aService;
  /** Version that is spoken with the agent. */
  version: A2aVersion;
}

/** Resolves with the connection. Rejects with an A2aError until the agent has been reached once. */
export type Downstream = (call: Pick<A2aCall, "signal">) => Promise<Connection>;

export interface DownstreamOptions extends Wanted {
  /** Address of the agent. */
  url: URL;
  /** URL of the card, when it is not at the well-known path below the address. */
  cardUrl?: URL;
  /** The card itself: then none is fetched. */
  card?: AgentCard;
  auth?: ClientAuth;
  cardAuth?: ClientAuth;
  /** Headers of every request, including the request for the card. */
  headers?: Readonly<Record<string, string>>;
  /** Headers of the request for the card alone. */
  cardHeaders?: Readonly<Record<string, string>>;
  /** True, also when absent, to send requests to the address that the card names; false to send them to `url`. */
  usesCardUrl?: boolean;
  /** Names of the headers of a client's request that are passed on to the agent. */
  allowHeaders?: readonly string[];
  /** Hosts besides that of the address to which the card may lead. */
  allowHosts?: readonly string[];
  refreshMs: number;
  timeoutMs: number;
  maxFrameBytes?: number;
}

export interface DownstreamDeps {
  http: HttpClient;
  clock: Clock;
  report: (problem: unknown) => void;
}

export function createDownstream(options: DownstreamOptions, deps: DownstreamDeps): Downstream {
  const { url, headers = {}, allowHosts = [], auth = ANONYMOUS, cardAuth = ANONYMOUS } = options;
  const hosts = trustHosts(url, allowHosts);

  function connect(card: AgentCard): Connection {
    const here = options.usesCardUrl === false ? movedTo(card, url) : card;
    const picked = pickInterface(here, options, hosts);
    if (!picked.ok) throw unavailable(picked.why);
    const address = addressOf(picked.interface);
    const version = knownVersion(picked.interface.protocolVersion);
    if (address === undefined || version === undefined) throw unavailable("its card has no usable address");
    // A header of a client may be a credential too.
    const trusted = hosts.mayHaveCredentials(address);
    const names = trusted ? (options.allowHeaders ?? []) : [];
    const service = createA2aClient({
      interface: picked.interface,
      http: deps.http,
      auth: trusted ? auth : anonymous(auth),
      headers: trusted ? headers : {},
      ...(names.length > 0 && { passOn: (sent) => pick(sent, names) }),
      ...(options.maxFrameBytes !== undefined && { limits: { frameBytes: options.maxFrameBytes } }),
    });
    return { card, service: hidingAddresses(service, deps.report), version };
  }

  async function fetchCard(): Promise<Connection> {
    const place = options.cardUrl ?? url;
    const trusted = trustHosts(url, [...allowHosts, place.host]).mayHaveCredentials(place);
    const found = await discoverCard({
      url: place,
      http: deps.http,
      auth: trusted ? cardAuth : anonymous(cardAuth),
      headers: trusted ? { ...headers, ...options.cardHeaders } : {},
      call: { extensions: [], traceId: randomHex(16), signal: AbortSignal.timeout(options.timeoutMs) },
    });
    if (found.ok) return connect(found.card);
    throw unavailable(found.tried.map(({ path, why }) => `${path}: ${why}`).join("; "));
  }

  const { card } = options;
  if (card) {
    const fixed = connect(card);
    return () => Promise.resolve(fixed);
  }
  const cache = createCardCache({
    fetch: fetchCard,
    refreshMs: options.refreshMs,
    clock: deps.clock,
    onTrouble: deps.report,
  });
  return async (call) => {
    try {
      return await cache.get(call);
    } catch (error) {
      // The client gets fewer details.
      if (error instanceof A2aError && error.cause !== undefined) deps.report(error.cause);
      throw error;
    }
  };
}

/** The certificates that we trust are not secret; our own are. */
function anonymous({ tls }: ClientAuth): ClientAuth {
  return tls?.ca === undefined ? ANONYMOUS : { ...ANONYMOUS, tls: { ca: tls.ca } };
}

/** Returns the card with every interface at one address. */
function movedTo(card: AgentCard, { href }: URL): AgentCard {
  return { ...card, supportedInterfaces: card.supportedInterfaces.map((entry) => ({ ...entry, url: href })) };
}

function unavailable(why: string): A2aError {
  return new A2aError(
    "UNAVAILABLE",
    `the agent behind the gateway cannot be reached: ${hideAddresses(why)}`,
    {
      cause: new Error(why),
    },
  );
}

function pick(headers: A2aCall["headers"], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );
}
