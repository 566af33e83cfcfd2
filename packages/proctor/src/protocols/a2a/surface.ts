// Lets clients of A2A drive any agent the hub knows, at /a2a/{agent}, and find the default one at the root's well-known path. How requests are
// answered is http/ and grpc/; what an agent does with them is surface/.
import { setMaxListeners } from "node:events";
import { getPath } from "hono/utils/url";
import { AGENT_NAME } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Surface, SurfaceOptions } from "../protocol.ts";
import { createA2aServer, type A2aServer, type A2aServerOptions } from "./http/a2a-server.ts";
import { CARD_PATHS } from "./http/card.ts";
import { A2A_TAG, describeRoutes } from "./http/describe-routes.ts";
import type { A2aService } from "./service.ts";
import { createAgentService } from "./surface/agent-service.ts";
import type { Repeats } from "./surface/new-task.ts";

const PATH = "/a2a";

export interface A2aSurfaceOptions extends Pick<A2aServerOptions, "patch" | "unversionedCard"> {
  /** The task of a message that came before: the same one when absent, or a new one. */
  repeats?: Repeats;
}

export async function openSurfaces(
  options: SurfaceOptions,
  { repeats = "same", ...served }: A2aSurfaceOptions = {},
): Promise<readonly Surface[]> {
  const { hub, log, receivers, keepAliveMs, needsToken = false, report } = options;
  /** By the agent's name; as many as there are agents. */
  const servers = new Map<string, A2aServer>();
  const stopping = new AbortController();
  // Every call over gRPC listens to it.
  setMaxListeners(0, stopping.signal);

  /** Throws AGENT_NOT_FOUND: where there is no agent, there is nobody to answer in A2A's form. */
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
    return createAgentService(agent, { hub, log, needsToken, repeats, ...(receivers && { receivers }) });
  }

  function open(agent: string): A2aServer {
    const server = createA2aServer({
      service: serviceOf(agent),
      keepAliveMs,
      report: (problem) => report(problem, ""),
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
    async fetch(request, { traceId }) {
      const [, agent = ""] = /^\/a2a\/([^/]*)/.exec(getPath(request)) ?? [];
      return (await serverOf(agent)).fetch(request, { traceId, basePath: `${PATH}/${agent}` });
    },
    async grpc() {
      const { grpcRoutes } = await import("./grpc/serve-grpc.ts");
      return grpcRoutes({
        async serviceOf(named) {
          const agent = named ?? (await defaultAgent());
          await hub.agent(agent);
          return serviceOf(agent);
        },
        report: (problem) => report(problem, ""),
        stopping: stopping.signal,
        ...(served.patch && { patch: served.patch }),
      });
    },
    openapi: () => ({ tags: A2A_TAG, routes: describeRoutes(`${PATH}/{agent}`) }),
    close,
  };
  /** The card of the default agent, where clients look for it who know only a host. */
  const wellKnown = CARD_PATHS.map((path): Surface => ({
    path,
    open: [path],
    async fetch(request, { traceId }) {
      const agent = options.defaultAgentName ?? (await onlyAgent(hub));
      return (await serverOf(agent)).card(request, { traceId, basePath: `${PATH}/${agent}` });
    },
    close: () => undefined,
  }));
  return [agents, ...wellKnown];
}

/** Throws NOT_FOUND where it is not clear who is meant. */
async function onlyAgent(hub: Hub): Promise<string> {
  const { items } = await hub.agents({ limit: 2 });
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first.name;
  throw new ProctorError(
    "NOT_FOUND",
    "this hub has no default agent\nits agents' cards are at /a2a/{agent}/.well-known/agent-card.json",
  );
}
