// The gateway as a surface of the hub: each agent behind it at `/gateway/{alias}`, its card without a token.
import { getPath } from "hono/utils/url";
import { requireAgent } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { RouteDescription } from "../../../runtime/http/route.ts";
import { didYouMean } from "../../../core/suggest.ts";
import type { Surface } from "../../protocol.ts";
import { createA2aServer, type A2aServer } from "../http/a2a-server.ts";
import { CARD_PATHS } from "../http/card.ts";
import { describeRoutes } from "../http/describe-routes.ts";
import type { Gateway } from "./gateway.ts";

export interface GatewaySurfaceOptions {
  gateway: Gateway;
  keepAliveMs: number;
  report: (problem: unknown) => void;
}

const GATEWAY_PATH = "/gateway";
const TAG = "Gateway";
const SUBJECT =
  "A2A agents that this hub stands in front of, under their aliases: their ids are the gateway's, and their files are artifacts of the hub.";

export function gatewaySurface({ gateway, keepAliveMs, report }: GatewaySurfaceOptions): Surface {
  const servers = new Map<string, A2aServer>();
  for (const [alias, service] of gateway.services) {
    servers.set(alias, createA2aServer({ service, keepAliveMs, report }));
  }

  return {
    path: GATEWAY_PATH,
    open: CARD_PATHS.map((path) => `${GATEWAY_PATH}/{agent}${path}`),
    async fetch(request, { traceId, caller }) {
      const [, alias = ""] = /^\/gateway\/([^/]*)/.exec(getPath(request)) ?? [];
      if (caller) requireAgent(caller, alias);
      const server = servers.get(alias);
      if (server === undefined) throw noAgent(alias, [...servers.keys()]);
      const host = { traceId, basePath: `${GATEWAY_PATH}/${alias}`, ...(caller && { caller }) };
      return server.fetch(request, host);
    },
    openapi: () => ({ tags: { [TAG]: SUBJECT }, routes: described() }),
    close() {
      for (const server of servers.values()) server.close();
      gateway.close();
    },
  };
}

/** Describes the operations of the hub's own agents, except for push notifications. */
function described(): RouteDescription[] {
  return describeRoutes(`${GATEWAY_PATH}/{agent}`)
    .filter(({ path }) => !path.includes("pushNotificationConfigs"))
    .map((route) => ({ ...route, tag: TAG, id: route.id.replace(/^a2a/, "gateway") }));
}

function noAgent(alias: string, known: readonly string[]): ProctorError {
  const hint = didYouMean(alias, known);
  return new ProctorError(
    "AGENT_NOT_FOUND",
    `there is no such agent behind the gateway${hint === undefined ? "" : `\n${hint}`}`,
  );
}
