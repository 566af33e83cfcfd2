// The variables that lead an agent's program to itself in an environment, whose own ones know nothing of it.
import type { AgentSpec } from "../core/agent.ts";
import { agentPath } from "./agent-mounts.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Nothing where the program is one of the system's. */
export function agentVariables(spec: AgentSpec): Record<string, string> {
  const folders = agentPath(spec);
  return folders.length === 0 ? {} : { PATH: [...folders, PATH].join(":") };
}
