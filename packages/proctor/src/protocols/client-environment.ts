// What a client of a surface wants in the environment of an agent: checked before anything is started for it.
import { formatAddress, isAddress, parseAddress } from "../core/address.ts";
import type { AgentSpec } from "../core/agent.ts";
import { findLoading, refuseLoading } from "../core/loading-variables.ts";
import type { Hub } from "../core/ports/hub.ts";

/** Throws INVALID_REQUEST for a variable that clients may not set, AGENT_NOT_FOUND for an unknown agent. */
export async function checkClientEnvironment(
  hub: Pick<Hub, "agent">,
  agent: string | AgentSpec,
  environment: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const names = findLoading(environment);
  if (names.length === 0) return;
  if (typeof agent !== "string") refuseLoading(names, formatAddress(agent), agent);
  else refuseLoading(names, agent, isAddress(agent) ? parseAddress(agent) : await hub.agent(agent));
}
