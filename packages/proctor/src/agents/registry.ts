// The agents that have a name, and the way from whatever somebody calls an agent to how it is reached.
import { ENVIRONMENT_KINDS } from "../core/environment.ts";
import { AGENT_NAME, maskSpec, type Agent, type AgentSpec } from "../core/agent.ts";
import { withoutProfile } from "../core/agent-profile.ts";
import { addressOfCommand, formatAddress, parseAddress } from "../core/address.ts";
import { ProctorError } from "../core/errors.ts";
import type { AgentDirectory } from "../core/ports/agent-directory.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { DriverLookup } from "../core/ports/driver.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Store, StoredAgent } from "../core/ports/store.ts";
import { secretsOfOptions } from "../core/option-secrets.ts";
import { suggest } from "../core/suggest.ts";
import type { Finding } from "../runtime/yaml/findings.ts";

interface AgentRegistryDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  drivers: DriverLookup;
  /** Says what is wrong with an agent's options. */
  checkOptions: CheckOptions;
}

type CheckOptions = (spec: AgentSpec) => readonly Finding[];

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
        const spec = checked(agent, deps);
        return { label: formatAddress(maskSpec(spec)), spec };
      }
      // A name holds no colon: what has one is an address, or says in parseAddress's words why it is none.
      if (agent.includes(":")) return { label: agent, spec: checked(parseAddress(agent), deps) };
      const { agent: found, sealed } = await stored(agent);
      return { label: found.name, spec: unseal(found, sealed, sealer) };
    },
    async add(agent, options) {
      const entry = seal(checkedAgent(agent, deps), clock.now(), sealer);
      await store.putAgent(entry, options);
      return entry.agent;
    },
    get: async (name) => (await stored(name)).agent,
    list: (page) => store.listAgents(page),
    async remove(name) {
      if (!(await store.removeAgent(name))) await stored(name);
    },
  };
}

type Checks = Pick<AgentRegistryDeps, "drivers" | "checkOptions">;

function checkedAgent(agent: NewAgent, checks: Checks): NewAgent {
  if (!AGENT_NAME.test(agent.name)) {
    throw new ProctorError(
      "INVALID_REQUEST",
      `"${agent.name}" cannot name an agent\n   use letters, digits, dot, dash and underscore, at most 128`,
      { details: [{ path: "name", message: "letters, digits, . _ - only" }] },
    );
  }
  return checked(agent, checks);
}

/** Refuses an agent whose protocol nobody speaks or has other options, or that does not say where it is. */
function checked<T extends AgentSpec>(spec: T, { drivers, checkOptions }: Checks): T {
  drivers(spec);
  if (
    spec.environment !== undefined &&
    !(ENVIRONMENT_KINDS as readonly string[]).includes(spec.environment)
  ) {
    const kinds = ENVIRONMENT_KINDS.join(", ");
    const message = `there is no environment "${spec.environment}"\n   there are: ${kinds}`;
    const details = [{ path: "agent.environment", message: `one of ${kinds}` }];
    throw new ProctorError("INVALID_REQUEST", message, { details });
  }
  const needsCommand = spec.transport === "stdio" || spec.transport === "builtin";
  if (needsCommand ? !spec.command?.[0] : !spec.url) {
    const field = needsCommand ? "command" : "url";
    throw new ProctorError("INVALID_REQUEST", `an agent over ${spec.transport} needs a ${field}`, {
      details: [{ path: `agent.${field}`, message: "required" }],
    });
  }
  const problems = checkOptions(spec);
  if (problems.length > 0) throw wrongOptions(problems);
  return spec;
}

function wrongOptions(problems: readonly Finding[]): ProctorError {
  const details = problems.map(({ path, message, hint }) => ({
    path: ["agent", "options", ...path].join("."),
    message: hint === undefined ? message : `${message}; ${hint}`,
  }));
  const lines = problems.map(({ message, hint }) =>
    hint === undefined ? message : `${message}\n   ${hint}`,
  );
  return new ProctorError("INVALID_REQUEST", `the agent's options: ${lines.join("\n")}`, { details });
}

function seal(agent: NewAgent, nowMs: number, sealer: Sealer): StoredAgent {
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

function unseal(agent: Agent, sealed: string | null, sealer: Sealer): AgentSpec {
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

function unknownAgent(name: string, agents: readonly Agent[]): ProctorError {
  const names = agents.map((agent) => agent.name);
  const near = suggest(name, names) ?? addressOfCommand(name);
  const next = near
    ? `did you mean "${near}"?`
    : "see: proctor agents list, or give an address like atp+stdio:<command>";
  return new ProctorError("AGENT_NOT_FOUND", `there is no agent "${name}"\n   ${next}`, {
    details: { agent: name },
  });
}
