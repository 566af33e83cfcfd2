// An agent as its user means it. A command line or a path is meant for the directory it was typed in, so when the hub is on
// this machine, it is sent in long form with that directory.
import { resolve } from "node:path";
import { isAddress, parseAddress } from "../core/address.ts";
import type { AgentSpec } from "../core/agent.ts";

export function localAgent(
  agent: string,
  { onThisMachine }: { onThisMachine: boolean },
  cwd: string,
): string | AgentSpec {
  return onThisMachine ? agentIn(agent, cwd) : agent;
}

/** Adds the directory that a command line or a path is meant for. A name or a server stays as it is. */
export function agentIn(agent: string, cwd: string): string | AgentSpec {
  if (!isAddress(agent)) return agent;
  const spec = parseAddress(agent);
  const isLocal = spec.command !== undefined || spec.transport === "file";
  return isLocal ? { ...spec, cwd: resolve(cwd) } : agent;
}
