// The public card of one of the hub's agents, from its registration. It says nothing of how the hub reaches the agent: commands and addresses
// are the hub's own business.
import type { Agent } from "../../../core/agent.ts";
import type { Capability } from "../../../core/agent-profile.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { AgentCard, AgentExtension, AgentSkill } from "../model.ts";
import type { A2aCall } from "../service.ts";
import { interfacesOf, type InterfaceOptions } from "./interfaces.ts";

export interface CardOptions extends Omit<InterfaceOptions, "agent"> {
  /** True when clients need a bearer token for everything but the card. */
  needsToken: boolean;
  /** True when push notifications can be requested. */
  pushes: boolean;
}

const ANY = ["text/plain", "application/json", "application/octet-stream"];
/** Name of the one security scheme. */
const BEARER = "bearer";
/** Tag of skills that have none of their own. */
const TAG = "proctor";

/** Extension that holds the JSON Schemas of skills, for which A2A has no field. */
const SCHEMAS = "urn:proctor:a2a:skill-schemas";

export function agentCard(
  agent: Agent,
  call: Pick<A2aCall, "origin" | "basePath">,
  { needsToken, pushes, ...reached }: CardOptions,
): AgentCard {
  const { description, version, capabilities = [] } = agent;
  const schemas = schemasOf(capabilities);
  return {
    name: agent.name,
    description: description ?? `The agent ${agent.name}, at a Proctor hub.`,
    version: version ?? agent.created_at,
    supportedInterfaces: interfacesOf(call, { ...reached, agent: agent.name }),
    // False is written out: verifiers do not agree on how a default is signed.
    capabilities: {
      streaming: true,
      ...(pushes && { pushNotifications: true }),
      ...(schemas && { extensions: [schemas] }),
    },
    ...(needsToken && {
      securitySchemes: {
        [BEARER]: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A token of the hub." } },
      },
      securityRequirements: [{ schemes: { [BEARER]: { list: [] } } }],
    }),
    defaultInputModes: ANY,
    defaultOutputModes: ANY,
    skills: skillsOf(agent),
  };
}

function skillsOf({ name, description, capabilities = [] }: Agent): AgentSkill[] {
  const skills = capabilities.map((capability) => ({
    id: capability.name,
    name: capability.name,
    description: capability.description ?? capability.name,
    tags: tagsOf(capability),
    ...(capability.examples && { examples: capability.examples }),
  }));
  if (skills.length > 0) return skills;
  const words = description ?? `Whatever ${name} is for: send it a message.`;
  return [{ id: name, name, description: words, tags: [TAG] }];
}

/** Returns at least one tag, because a skill needs one. */
function tagsOf({ tags = [] }: Capability): string[] {
  return tags.length > 0 ? tags : [TAG];
}

/** Returns the schemas by the ids of the skills; undefined where no capability has one. */
function schemasOf(capabilities: readonly Capability[]): AgentExtension | undefined {
  const skills = capabilities.flatMap(({ name, parameters, returns }) =>
    parameters || returns
      ? [
          [
            name,
            { ...(parameters && { inputSchema: parameters }), ...(returns && { outputSchema: returns }) },
          ],
        ]
      : [],
  );
  if (skills.length === 0) return undefined;
  const description = "JSON Schemas of what skills take and return as data, by the ids of the skills";
  return { uri: SCHEMAS, description, params: { skills: Object.fromEntries(skills) as JsonObject } };
}
