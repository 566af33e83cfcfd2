// Lets clients of A2A drive any agent the hub knows, at /a2a/{agent}, and find the default one at the root's well-known path. How requests are
// answered is http/ and grpc/; what an agent does with them is surface/.
import { setMaxListeners } from "node:events";
import { getPath } from "hono/utils/url";
import { AGENT_NAME } from "../../core/agent.ts";
import { requireAgent } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { HubPlaces, Surface, SurfaceOptions } from "../protocol.ts";
import type { CardSigner } from "./card/card-signer.ts";
import type { SigningKey } from "./card/read-signing-key.ts";
import { CONTENT_FORMS, type ContentForm } from "./card/signed-content.ts";
import { createA2aServer, type A2aServer, type A2aServerOptions } from "./http/a2a-server.ts";
import { CARD_PATHS } from "./http/card.ts";
import { A2A_TAG, describeRoutes } from "./http/describe-routes.ts";
import type { CardForm } from "./http/serving.ts";
import type { A2aCall, A2aService } from "./service.ts";
import { createAgentService } from "./surface/agent-service.ts";
import type { Repeats } from "./surface/new-task.ts";
import { placeOf } from "./surface/place.ts";

const PATH = "/a2a";
const KEY_SET_PATH = "/.well-known/jwks.json";

export interface A2aSurfaceOptions extends Pick<A2aServerOptions, "patch" | "unversionedCard"> {
  /** Whether a repeated message means the task that it began, or a new one; the same task when absent. */
  repeats?: Repeats;
  /** Key that signs cards. */
  cardKey?: SigningKey;
}

export async function openSurfaces(
  options: SurfaceOptions,
  { cardKey, repeats = "same", ...served }: A2aSurfaceOptions = {},
): Promise<readonly Surface[]> {
  const { hub, log, receivers, keepAliveMs, needsToken = () => false, places, report } = options;
  /** Servers by the agent's name; as many as there are agents. */
  const servers = new Map<string, A2aServer>();
  const signer = cardKey && (await import("./card/card-signer.ts")).createCardSigner(cardKey);
  const stopping = new AbortController();
  // Every call over gRPC listens to it.
  setMaxListeners(0, stopping.signal);

  /** Throws AGENT_NOT_FOUND: without an agent, no answer in A2A's form is possible. */
  async function serverOf(agent: string): Promise<A2aServer> {
    if (!AGENT_NAME.test(agent)) throw new ProctorError("AGENT_NOT_FOUND", "there is no such agent");
    try {
      await hub.agent(agent);
    } catch (error) {
      servers.get(agent)?.close();
      servers.delete(agent);
      throw error;
    }
    const known = servers.get(agent) ?? open(agent);
    servers.set(agent, known);
    return known;
  }

  function serviceOf(agent: string): A2aService {
    const isDefault = agent === options.defaultAgentName;
    return createAgentService(agent, {
      hub,
      log,
      needsToken,
      isDefault,
      repeats,
      ...(receivers && { receivers }),
      ...(places && { places }),
    });
  }

  function open(agent: string): A2aServer {
    const server = createA2aServer({
      service: serviceOf(agent),
      keepAliveMs,
      report: (problem) => report(problem, ""),
      ...(signer && { signCard: (card, form, call) => sign(card, form, call, signer) }),
      ...served,
    });
    if (stopping.signal.aborted) server.close();
    return server;
  }

  function close(): void {
    stopping.abort();
    for (const server of servers.values()) server.close();
  }

  const defaultAgent = async (): Promise<string> => options.defaultAgentName ?? (await onlyAgent(hub));

  const agents: Surface = {
    path: PATH,
    open: CARD_PATHS.map((path) => `${PATH}/{agent}${path}`),
    async fetch(request, { traceId, caller }) {
      const [, agent = ""] = /^\/a2a\/([^/]*)/.exec(getPath(request)) ?? [];
      // A request for a card, which is open, has no caller that could be restricted to agents.
      if (caller) requireAgent(caller, agent);
      const host = { traceId, basePath: `${PATH}/${agent}`, ...(caller && { caller }) };
      return (await serverOf(agent)).fetch(request, host);
    },
    async grpc() {
      const { grpcRoutes } = await import("./grpc/serve-grpc.ts");
      return grpcRoutes({
        async serviceOf(named, caller) {
          const agent = named ?? (await defaultAgent());
          requireAgent(caller, agent);
          await hub.agent(agent);
          return serviceOf(agent);
        },
        report: (problem) => report(problem, ""),
        stopping: stopping.signal,
        originOf: (called) => httpOrigin(called, places?.()),
        ...(served.patch && { patch: served.patch }),
      });
    },
    openapi: () => ({ tags: A2A_TAG, routes: describeRoutes(`${PATH}/{agent}`) }),
    close,
  };
  /** The card of the default agent, for clients that know only a host. */
  const wellKnown = CARD_PATHS.map((path): Surface => ({
    path,
    open: [path],
    async fetch(request, { traceId }) {
      const agent = await defaultAgent();
      return (await serverOf(agent)).card(request, { traceId, basePath: `${PATH}/${agent}` });
    },
    close: () => undefined,
  }));
  return [agents, ...wellKnown, ...(cardKey ? [keySetSurface(cardKey)] : [])];
}

/** Signs in the specification's form and in the SDKs' form: verifiers use either. The SDKs have no form for 0.3. */
function sign(card: JsonObject, form: CardForm, call: A2aCall, signer: CardSigner): Promise<JsonObject> {
  const { hubUrl } = placeOf(call);
  const forms: readonly ContentForm[] = form === "0.3" ? ["specification"] : CONTENT_FORMS;
  return signer(card, { keySetUrl: `${hubUrl}${KEY_SET_PATH}`, forms });
}

/** Serves the public key of the hub's cards to verifiers. */
function keySetSurface({ publicKey }: SigningKey): Surface {
  return {
    path: KEY_SET_PATH,
    open: [KEY_SET_PATH],
    fetch({ method }) {
      if (method !== "GET" && method !== "HEAD")
        throw new ProctorError("METHOD_NOT_ALLOWED", "a key set can only be read");
      const headers = { "content-type": "application/jwk-set+json", "cache-control": "public, max-age=300" };
      return new Response(method === "HEAD" ? null : JSON.stringify({ keys: [publicKey] }), { headers });
    },
    close: () => undefined,
  };
}

/** Returns the origin at which a client of the gRPC port finds what the hub has over HTTP, such as large artifacts. */
function httpOrigin({ hostname, origin }: URL, places: HubPlaces | undefined): string {
  return places ? (places.publicUrl ?? `http://${hostname}:${places.httpPort}`) : origin;
}

/** Throws NOT_FOUND where it is not clear which agent is meant. */
async function onlyAgent(hub: Hub): Promise<string> {
  const { items } = await hub.agents({ limit: 2 });
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first.name;
  throw new ProctorError(
    "NOT_FOUND",
    "this hub has no default agent\nits agents' cards are at /a2a/{agent}/.well-known/agent-card.json",
  );
}
