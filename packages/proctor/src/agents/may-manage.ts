// Who may change an agent of the registry: callers that may change any, and the agent itself.
import { denied, may, requireAgent, requireScope, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import { refuseTool } from "./tool-entries.ts";

/** Throws SCOPE_MISSING, FORBIDDEN, or NOT_SUPPORTED for a tool of the hub. */
export function requireManager(caller: Caller, name: string): void {
  refuseTool(name);
  if (!may(caller, "agents:write")) {
    requireScope(caller, "agents:register");
    if (!speaksForAgents(caller)) {
      const message = `this token may register agents, and not change "${name}"\nuse the token that its registration returned`;
      throw denied(caller, new ProctorError("FORBIDDEN", message, { details: { agent: name } }));
    }
  }
  requireAgent(caller, name);
}

/** Returns whether the name, which is taken, is the caller's own. */
export function ownsName(caller: Caller, name: string): boolean {
  const { binding } = caller;
  if (binding?.kind === "agent") return binding.name === name;
  if (binding?.kind === "folder") return name.startsWith(`${binding.name}.`);
  return may(caller, "agents:write");
}

function speaksForAgents({ binding }: Caller): boolean {
  return binding?.kind === "agent" || binding?.kind === "folder";
}
