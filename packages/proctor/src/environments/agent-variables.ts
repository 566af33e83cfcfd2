// The variables by which an agent's program is found in an environment, whose own PATH does not lead to it.
import type { AgentSpec } from "../core/agent.ts";
import { agentPath } from "./agent-mounts.ts";
import { DEFAULT_PATH } from "./default-path.ts";

/** Returns the variables that the agent's program needs; none where the program is one of the system's. */
export function agentVariables(spec: AgentSpec): Record<string, string> {
  const folders = agentPath(spec);
  return folders.length === 0 ? {} : { PATH: [...folders, DEFAULT_PATH].join(":") };
}
