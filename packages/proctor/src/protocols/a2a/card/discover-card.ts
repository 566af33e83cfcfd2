// Finds the card of an agent from its address: at the well-known places below it, or at the address itself. Only the agent's own origin is
// asked; what the card may lead to is decided by whoever uses it.
import type { HttpClient } from "../../../channels/http/client.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import type { ClientAuth } from "../client/auth/client-auth.ts";
import { createPeer, type PeerCall } from "../client/peer.ts";
import { readJson } from "../client/read-json.ts";
import { TransportFailure, unusable } from "../client/transport-failure.ts";
import type { WireProblem } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import { A2aError } from "../errors.ts";
import type { AgentCard } from "../model.ts";
import type { A2aVersion } from "../service.ts";

/** A place that was tried, and what was found there instead of a card. */
export interface Tried {
  path: string;
  why: string;
  error?: A2aError;
}

export interface FoundCard {
  ok: true;
  card: AgentCard;
  /** The card as it came: its signatures cover this form. */
  received: Json;
  /** The version whose form the card has. */
  version: A2aVersion;
  url: URL;
  problems: WireProblem[];
}

export type Discovery = FoundCard | { ok: false; tried: Tried[] };

export interface DiscoverOptions {
  /** The agent's address. */
  url: URL;
  http: HttpClient;
  auth: ClientAuth;
  headers: Readonly<Record<string, string>>;
  call: Omit<PeerCall, "headers"> & Partial<Pick<PeerCall, "headers">>;
}

/** Bytes of the largest card. */
const MAX_CARD_BYTES = 1024 * 1024;
const WELL_KNOWN = "/.well-known/agent-card.json";
/** Well-known path of version 0.2. */
const WELL_KNOWN_0_2 = "/.well-known/agent.json";

export async function discoverCard(options: DiscoverOptions): Promise<Discovery> {
  const tried: Tried[] = [];
  for (const url of placesOf(options.url)) {
    try {
      return await readCardAt(url, options);
    } catch (error) {
      if (!(error instanceof A2aError)) throw error;
      tried.push({ path: url.pathname, why: whyOf(error), error });
      // The server cannot be reached, or the call was stopped: other paths would fail the same way.
      if (isGone(error) || options.call.signal.aborted) break;
    }
  }
  return { ok: false, tried };
}

function placesOf(address: URL): URL[] {
  const base = withoutTrailingSlashes(address.pathname);
  const at = (path: string): URL => {
    const url = new URL(address);
    url.pathname = path;
    return url;
  };
  // An address that already names a card is asked first.
  const itself = at(address.pathname);
  const below = [at(`${base}${WELL_KNOWN}`), at(`${base}${WELL_KNOWN_0_2}`)];
  return /\.json$/i.test(base) ? [itself] : [...below, itself];
}

async function readCardAt(url: URL, { http, auth, headers, call }: DiscoverOptions): Promise<FoundCard> {
  const peer = createPeer({ http, auth, version: "1.0", headers });
  const request = { name: `GET ${url.pathname}`, method: "GET", url, accept: "application/json" } as const;
  const answer = await peer.ask(request, { headers: {}, ...call });
  const received = await readJson(answer, request, MAX_CARD_BYTES);
  if (!isJsonObject(received)) throw unusable("it is no JSON object");
  const version = Array.isArray(received["supportedInterfaces"]) ? "1.0" : "0.3";
  const problems: WireProblem[] = [];
  const card = codecOf(version).decodeCard(received, problems);
  return { ok: true, card, received, version, url, problems };
}

/** Returns whether no server could be reached. */
export function isGone({ cause }: A2aError): boolean {
  if (!(cause instanceof TransportFailure)) return false;
  const { code } = cause.failure;
  return code === "UNREACHABLE" || code === "TLS_FAILED" || code === "CONNECTION_LOST";
}

function whyOf({ message, cause }: A2aError): string {
  return cause instanceof TransportFailure ? cause.failure.message : message;
}
