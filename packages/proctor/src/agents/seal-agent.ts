// An agent as the store keeps it: secrets masked in the document, and sealed next to it.
import { maskSpec, type Agent, type AgentSpec } from "../core/agent.ts";
import { withoutProfile } from "../core/agent-profile.ts";
import { formatAddress } from "../core/address.ts";
import { ProctorError } from "../core/errors.ts";
import { secretsOfOptions } from "../core/option-secrets.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { StoredAgent } from "../core/ports/store.ts";

export function sealAgent(agent: NewAgent, nowMs: number, sealer: Sealer): StoredAgent {
  const { env, headers, options } = agent;
  const hidden = secretsOfOptions(options).length > 0;
  return {
    agent: { ...maskSpec(agent), address: formatAddress(agent), created_at: new Date(nowMs).toISOString() },
    sealed:
      env || headers || hidden
        ? sealer.seal(JSON.stringify({ env, headers, ...(hidden && { options }) }))
        : null,
  };
}

export function unsealAgent(agent: Agent, sealed: string | null, sealer: Sealer): AgentSpec {
  const { name, address: _, created_at: __, ...spec } = withoutProfile(agent);
  if (sealed === null) return spec;
  const opened = sealer.open(sealed);
  if (opened === undefined) {
    throw new ProctorError(
      "CONFIG_INVALID",
      `the environment of agent "${name}" was sealed with another key\n   add it again: proctor agents add --replace`,
    );
  }
  // The sealer authenticates: this is what seal wrote.
  return { ...spec, ...(JSON.parse(opened) as Pick<AgentSpec, "env" | "headers" | "options">) };
}
