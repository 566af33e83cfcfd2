// Whether a test applies to an agent: what its card must offer, and what the test needs of us. A test that does not apply says nothing about the agent.
// Pure.
import type { Json } from "../../../core/json.ts";
import { needsCredentials } from "../conform/rule.ts";
import type { AgentCard } from "../model.ts";
import type { Binding } from "../service.ts";
import type { ActsTest, Transport } from "./schema.ts";

export const BINDING_OF: Readonly<Record<Transport, Binding>> = {
  jsonrpc: "JSONRPC",
  rest: "HTTP+JSON",
  grpc: "GRPC",
};

/** Capabilities that an A2A card can have. */
const CAPABILITIES: ReadonlySet<string> = new Set([
  "streaming",
  "pushNotifications",
  "extendedAgentCard",
  "extensions",
]);

/** Configurations of an agent under which tests run: the usual one, one that offers little, and one that asks for credentials. */
export const PASSES = ["main", "reduced", "auth"] as const;
export type ActsPass = (typeof PASSES)[number];

/** Returns the pass that a test belongs to, by what it asks of the card. */
export function passOf({ preconditions = {} }: ActsTest): ActsPass {
  const { capabilities = {}, authentication } = preconditions;
  if (authentication === true) return "auth";
  return Object.values(capabilities).includes(false) ? "reduced" : "main";
}

/** Returns why a test does not apply; undefined where it does. */
export function obstacle({ preconditions = {} }: ActsTest, card: AgentCard): string | undefined {
  const { capabilities = {}, authentication, skills = [], transport, extensions = [] } = preconditions;
  for (const [name, wanted] of Object.entries(capabilities)) {
    if (!CAPABILITIES.has(name)) return `A2A has no capability ${name}, so that no card can have it`;
    const offered = offeredIn(card, name);
    if (wanted !== undefined && JSON.stringify(offered) !== JSON.stringify(wanted))
      return `the card has ${name}: ${JSON.stringify(offered)}, and the test needs ${JSON.stringify(wanted)}`;
  }
  if (authentication !== undefined && authentication !== isGuarded(card))
    return `the card ${authentication ? "requires no" : "requires"} credentials`;
  const skill = skills.find(({ id }) => !card.skills.some((offered) => offered.id === id));
  if (skill) return `the card has no skill ${skill.id}`;
  const bindings = new Set(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding));
  if (transport && !transport.some((each) => bindings.has(BINDING_OF[each])))
    return `the card names no interface of ${transport.join(" or ")}`;
  const known = new Set((card.capabilities.extensions ?? []).map(({ uri }) => uri));
  const extension = extensions.find((uri) => !known.has(uri));
  return extension === undefined ? undefined : `the card has no extension ${extension}`;
}

/** A capability that a card does not mention is not offered. */
function offeredIn({ capabilities }: AgentCard, name: string): Json {
  const offered = Object.entries(capabilities).find(([key]) => key === name)?.[1];
  return offered ?? false;
}

/** A scheme that no client has to use is merely an offer. */
function isGuarded(card: AgentCard): boolean {
  return needsCredentials(card) && Object.keys(card.securitySchemes ?? {}).length > 0;
}
