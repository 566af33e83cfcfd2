// The card of the upstream agent: what a gateway in front of it may claim, and must change.
import type { AgentCard } from "../model.ts";

/** An extension that the upstream knows, but does not require. */
export const EXTENSION = "https://proctor.example/extensions/heron/v1";
export const SKILL = "proctor-heron";
/** A skill that only the extended card has. */
export const EXTENDED_SKILL = "proctor-stork";

export function upstreamCard(url: string): AgentCard {
  const interfaces = (["1.0", "0.3"] as const).flatMap((protocolVersion) =>
    (["JSONRPC", "HTTP+JSON"] as const).map((protocolBinding) => ({ url, protocolBinding, protocolVersion })),
  );
  return {
    name: "Proctor's upstream",
    description: "An agent that examines the gateway in front of it.",
    version: "1.0.0",
    supportedInterfaces: interfaces,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [{ uri: EXTENSION, description: "Says where the heron is." }],
    },
    defaultInputModes: ["text/plain", "application/json", "application/octet-stream"],
    defaultOutputModes: ["text/plain", "application/json", "application/octet-stream"],
    skills: [skill(SKILL)],
  };
}

export function extendedCard(url: string): AgentCard {
  const card = upstreamCard(url);
  return { ...card, skills: [...card.skills, skill(EXTENDED_SKILL)] };
}

function skill(id: string): AgentCard["skills"][number] {
  return { id, name: id, description: "Answers what it is told to.", tags: ["test"] };
}
