// The gateway of a hub, from its configuration.
import { createHttpClient } from "../../channels/http/client.ts";
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { Store } from "../../core/ports/store.ts";
import { createAuth } from "../../protocols/a2a/client/auth/create-auth.ts";
import { codecOf } from "../../protocols/a2a/codecs.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import { createGateway, type GatewayAgent } from "../../protocols/a2a/gateway/gateway.ts";
import { gatewaySurface } from "../../protocols/a2a/gateway/surface.ts";
import type { AgentCard } from "../../protocols/a2a/model.ts";
import type { Surface } from "../../protocols/protocol.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { GatewayAgentConfig, GatewayConfig } from "../config/gateway-config.ts";

export interface ServeGatewayDeps {
  artifacts: ArtifactService;
  store: Pick<Store, "gatewayIds">;
  needsToken: () => boolean;
  keepAliveMs: number;
  log: (entry: object) => void;
  report: (problem: unknown) => void;
}

/** Throws CONFIG_INVALID for a card that is not valid. */
export function serveGateway(config: GatewayConfig, deps: ServeGatewayDeps): Surface {
  const { log, report, keepAliveMs } = deps;
  const http = createHttpClient();
  const { identityHeader } = config;

  function agentOf(alias: string, entry: GatewayAgentConfig): GatewayAgent {
    const { auth, cardAuth, tls, card, ...rest } = entry;
    const authOf = (shown: typeof auth) =>
      createAuth({ ...(shown && { auth: shown }), ...(tls && { tls }) }, { http, clock: systemClock });
    return {
      ...rest,
      auth: authOf(auth),
      // A card that is not public wants credentials of its own.
      cardAuth: authOf(cardAuth),
      ...(card && { card: readCard(alias, card) }),
    };
  }

  const gateway = createGateway({
    agents: Object.fromEntries(
      Object.entries(config.agents).map(([alias, entry]) => [alias, agentOf(alias, entry)]),
    ),
    artifacts: deps.artifacts,
    ids: deps.store.gatewayIds,
    clock: systemClock,
    isProtected: deps.needsToken,
    http,
    ...(identityHeader !== undefined && { identityHeader }),
    report,
    onLosses: (agent, losses, { traceId }) =>
      log({ time: new Date().toISOString(), level: "warn", trace_id: traceId, agent, losses }),
  });
  return gatewaySurface({ gateway, keepAliveMs, report });
}

function readCard(alias: string, card: JsonObject): AgentCard {
  try {
    return codecOf(Array.isArray(card["supportedInterfaces"]) ? "1.0" : "0.3").decodeCard(card);
  } catch (error) {
    if (!(error instanceof A2aError)) throw error;
    throw new ProctorError(
      "CONFIG_INVALID",
      `gateway.agents.${alias}.card is no agent card: ${error.message}`,
    );
  }
}
