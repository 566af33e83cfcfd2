// One rule for A2A agents, and what an agent must offer for the rule to have an occasion.
import type { AdvisedRule } from "../../../conformance/try-rules.ts";
import type { AgentCard } from "../model.ts";
import type { A2aVersion, Binding } from "../service.ts";
import { flowOf, openIdUrlOf } from "./token-flows.ts";
import type { Endpoint } from "./endpoint.ts";

export interface A2aRule extends AdvisedRule {
  /** Binding over which the rule is tried; any when absent. */
  on?: Binding | "HTTP";
  /** Version in which the rule is tried; any when absent. */
  version?: A2aVersion;
  /** What the card must say for the rule to apply. */
  when?: Occasion;
}

/** What a card may offer, in the words of the reference page, and how to detect it. */
const OCCASIONS = {
  streaming: (card: AgentCard) => card.capabilities.streaming === true,
  "no streaming": (card: AgentCard) => card.capabilities.streaming !== true,
  push: (card: AgentCard) => card.capabilities.pushNotifications === true,
  "no push": (card: AgentCard) => card.capabilities.pushNotifications !== true,
  "an extended card": (card: AgentCard) => card.capabilities.extendedAgentCard === true,
  "no extended card": (card: AgentCard) => card.capabilities.extendedAgentCard !== true,
  signatures: (card: AgentCard) => (card.signatures ?? []).length > 0,
  "security schemes": (card: AgentCard) => needsCredentials(card),
  "no security": (card: AgentCard) => !needsCredentials(card),
  "client credentials": (card: AgentCard) => flowOf(card, "clientCredentials") !== undefined,
  "device codes": (card: AgentCard) => flowOf(card, "deviceCode") !== undefined,
  "OpenID Connect": (card: AgentCard) => openIdUrlOf(card) !== undefined,
  "a required extension": (card: AgentCard) =>
    (card.capabilities.extensions ?? []).some(({ required }) => required === true),
  "several interfaces": (_card: AgentCard, endpoints: readonly Endpoint[]) => endpoints.length > 1,
} as const;
export type Occasion = keyof typeof OCCASIONS;

export function needsCredentials({ securityRequirements = [] }: AgentCard): boolean {
  return securityRequirements.length > 0;
}

export function hasOccasion(
  { on, version, when }: Pick<A2aRule, "on" | "version" | "when">,
  card: AgentCard,
  endpoints: readonly Endpoint[],
): boolean {
  const isOver = ({ binding, version: spoken }: Endpoint): boolean =>
    (on === undefined || binding === on || (on === "HTTP" && binding !== "GRPC")) &&
    (version === undefined || spoken === version);
  // A card without an interface that can be used gives every rule the same reason.
  return (
    (endpoints.length === 0 || endpoints.some(isOver)) &&
    (when === undefined || OCCASIONS[when](card, endpoints))
  );
}
