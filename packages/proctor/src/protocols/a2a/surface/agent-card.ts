// The public card of one of the hub's agents, from its registration. It says nothing of how the hub reaches the agent: commands and addresses
// are the hub's own business.
import type { Agent } from "../../../core/agent.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import type { AgentCard, AgentSkill } from "../model.ts";
import type { A2aCall } from "../service.ts";
import { interfacesOf, type InterfaceOptions } from "./interfaces.ts";

export interface CardOptions extends Omit<InterfaceOptions, "agent"> {
  /** Clients need a bearer token for everything but the card. */
  needsToken: boolean;
  /** Push notifications can be asked for. */
  pushes: boolean;
}

const ANY = ["text/plain", "application/json", "application/octet-stream"];
/** The name of the one security scheme. */
const BEARER = "bearer";

export function agentCard(
  agent: Agent,
  call: Pick<A2aCall, "origin" | "basePath">,
  { needsToken, pushes, ...reached }: CardOptions,
): AgentCard {
  const { description, version } = agent.options ?? {};
  const said = typeof description === "string" && description !== "" ? description : undefined;
  return {
    name: agent.name,
    description: said ?? `The agent ${agent.name}, at a Proctor hub.`,
    version: typeof version === "string" && version !== "" ? version : agent.created_at,
    supportedInterfaces: interfacesOf(call, { ...reached, agent: agent.name }),
    // What is not said is false: verifiers do not agree on how a default is signed.
    capabilities: { streaming: true, ...(pushes && { pushNotifications: true }) },
    ...(needsToken && {
      securitySchemes: {
        [BEARER]: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A token of the hub." } },
      },
      securityRequirements: [{ schemes: { [BEARER]: { list: [] } } }],
    }),
    defaultInputModes: ANY,
    defaultOutputModes: ANY,
    skills: skillsOf(agent, said),
  };
}

function skillsOf({ name, options }: Agent, description: string | undefined): AgentSkill[] {
  const listed = Array.isArray(options?.["skills"]) ? options["skills"].flatMap(skillIn) : [];
  if (listed.length > 0) return listed;
  const words = description ?? `Whatever ${name} is for: send it a message.`;
  return [{ id: name, name, description: words, tags: ["proctor"] }];
}

function skillIn(value: Json): AgentSkill[] {
  if (!isJsonObject(value)) return [];
  const { id, name = id, description = name, tags, ...rest } = value;
  if (typeof id !== "string" || typeof name !== "string" || typeof description !== "string") return [];
  const texts = Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === "string") : [];
  return [{ ...rest, id, name, description, tags: texts }];
}
