// Something that can do tasks. A spec says how to reach it; an agent is a spec that the registry knows by name.
import type { AgentProfile } from "./agent-profile.ts";
import type { JsonObject } from "./json.ts";
import { maskOptions } from "./option-secrets.ts";

/** The long form of an agent's address: DESIGN, "Agent addresses". */
export interface AgentSpec {
  protocol: string;
  transport: string;
  /** The command line, for transports that start a program. */
  command?: string[];
  /** The URL, for transports that connect; `file:<path>` for an agent that is read from a file. */
  url?: string;
  /** Variables of the agent's program. Their values are secrets and recorded as `***`. */
  env?: Record<string, string>;
  /** Headers of every request to the agent. Their values are secrets and recorded as `***`. */
  headers?: Record<string, string>;
  /** The environment in which a program runs; `local` when absent. */
  environment?: string;
  /** The directory in which a program starts, the run's workspace when absent; or the one that a file's path is relative to. */
  cwd?: string;
  /** Variables that clients of a surface may set for its program, though they could make it load code. */
  client_env?: string[];
  /**
   * What only the driver of its protocol understands and checks: how a request is written, where the answer is. Shown as it is, except texts
   * whose name says that they are secret.
   */
  options?: JsonObject;
  /** How many runs this agent takes at once; the hub's limit applies as well. */
  concurrency?: number;
  /** Labels that a worker must have to carry out the agent's runs. */
  requires?: string[];
}

export interface Agent extends AgentSpec, AgentProfile {
  name: string;
  /** The spec as an address. */
  address: string;
  created_at: string;
}

export const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const MASK = "***";

/** The spec as it may be written down: secret values masked. */
export function maskSpec<T extends AgentSpec>(spec: T): T {
  return {
    ...spec,
    ...(spec.env && { env: maskValues(spec.env) }),
    ...(spec.headers && { headers: maskValues(spec.headers) }),
    ...(spec.options && { options: maskOptions(spec.options, MASK) }),
  };
}

export function maskValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((key) => [key, MASK]));
}
