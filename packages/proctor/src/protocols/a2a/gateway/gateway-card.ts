// The card of an agent behind the gateway, as the gateway's clients see it: under the alias, with no address but the gateway's, and without
// what holds for the agent alone. What the agent can do stays.
import type { JsonObject } from "../../../core/json.ts";
import type { AgentCard, AgentInterface } from "../model.ts";
import type { A2aCall } from "../service.ts";

export interface GatewayCardOptions {
  alias: string;
  /** Whether clients need a token of the gateway. */
  isProtected: boolean;
}

const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
const VERSIONS = ["1.0", "0.3"] as const;
const SCHEME = "gateway";

export function gatewayCard(
  card: AgentCard,
  { origin, basePath }: Pick<A2aCall, "origin" | "basePath">,
  { alias, isProtected }: GatewayCardOptions,
): AgentCard {
  const url = `${origin}${basePath}`;
  // Signatures are left out, because they hold for what the agent wrote; its security schemes too, because the gateway has its own.
  const { signatures: _, securitySchemes: __, securityRequirements: ___, ...rest } = card;
  return {
    ...rest,
    name: alias,
    supportedInterfaces: VERSIONS.flatMap((protocolVersion) =>
      BINDINGS.map((protocolBinding): AgentInterface => ({ url, protocolBinding, protocolVersion })),
    ),
    capabilities: { ...card.capabilities, pushNotifications: false },
    skills: card.skills.map(({ securityRequirements: ____, ...skill }) => skill),
    ...(isProtected && security()),
  };
}

function security(): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  const requirement: JsonObject = { schemes: { [SCHEME]: { list: [] } } };
  return {
    securitySchemes: { [SCHEME]: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [requirement],
  };
}
