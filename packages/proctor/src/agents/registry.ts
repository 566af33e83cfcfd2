// The agents that have a name, and the way from a client's word for an agent to how it is reached.
import { maskSpec, type Agent } from "../core/agent.ts";
import { addressOfCommand, formatAddress, parseAddress } from "../core/address.ts";
import { ProctorError } from "../core/errors.ts";
import type { AgentDirectory } from "../core/ports/agent-directory.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Store, StoredAgent } from "../core/ports/store.ts";
import { suggest } from "../core/suggest.ts";
import { checkAgent, checkSpec, type AgentChecks } from "./check-agent.ts";
import { sealAgent, unsealAgent } from "./seal-agent.ts";

interface AgentRegistryDeps extends AgentChecks {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  /** Called after an agent was added or replaced, and after one was removed. */
  onChange?: (name: string, agent: Agent | undefined) => void | Promise<void>;
}

export function createAgentRegistry(deps: AgentRegistryDeps): AgentDirectory {
  const { store, sealer, clock } = deps;

  async function stored(name: string): Promise<StoredAgent> {
    const found = await store.readAgent(name);
    if (found) return found;
    const { items } = await store.listAgents({ limit: 1000 });
    throw unknownAgent(name, items);
  }

  return {
    async resolve(agent) {
      if (typeof agent !== "string") {
        const spec = checkSpec(agent, deps);
        return { label: formatAddress(maskSpec(spec)), spec };
      }
      // A name holds no colon: what has one is an address, or says in parseAddress's words why it is none.
      if (agent.includes(":")) return { label: agent, spec: checkSpec(parseAddress(agent), deps) };
      const { agent: found, sealed } = await stored(agent);
      // An agent may be registered that no driver here speaks to.
      deps.drivers(found);
      return { label: found.name, spec: unsealAgent(found, sealed, sealer) };
    },
    async add(agent, options) {
      const entry = sealAgent(checkAgent(agent, deps), clock.now(), sealer);
      await store.putAgent(entry, options);
      await deps.onChange?.(entry.agent.name, entry.agent);
      return entry.agent;
    },
    get: async (name) => (await stored(name)).agent,
    list: (page) => store.listAgents(page),
    async remove(name) {
      if (!(await store.removeAgent(name))) await stored(name);
      await deps.onChange?.(name, undefined);
    },
  };
}

export function unknownAgent(name: string, agents: readonly { name: string }[]): ProctorError {
  const names = agents.map((agent) => agent.name);
  const near = suggest(name, names) ?? addressOfCommand(name);
  const next = near
    ? `did you mean "${near}"?`
    : "see: proctor agents list, or give an address like atp+stdio:<command>";
  return new ProctorError("AGENT_NOT_FOUND", `there is no agent "${name}"\n   ${next}`, {
    details: { agent: name },
  });
}
