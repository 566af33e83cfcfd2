// The probing of a hub in this process; undefined where the configuration turns it off.
import { createProber, type Prober } from "../../agents/prober.ts";
import type { LiveRegistry } from "../../agents/live-registry.ts";
import { unsealAgent } from "../../agents/seal-agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { createEndpointGuard } from "../../runtime/addresses/endpoint-guard.ts";
import type { Config } from "../config/load-config.ts";
import type { OpenRegistryDeps } from "./open-registry.ts";
import { probeAgent, tryTask } from "./probe-agent.ts";

export function openProber(
  config: Pick<Config, "probeSeconds" | "apiHost" | "agentHosts">,
  registry: LiveRegistry,
  hub: Hub,
  { store, sealer, clock, report }: Pick<OpenRegistryDeps, "store" | "sealer" | "clock" | "report">,
): Prober | undefined {
  const { probeSeconds } = config;
  if (probeSeconds === 0) return undefined;
  const guard = createEndpointGuard({ hubHost: config.apiHost, allowHosts: config.agentHosts });
  return createProber({
    registry,
    async specOf(name) {
      const stored = await store.readAgent(name);
      if (stored === undefined) throw new ProctorError("AGENT_NOT_FOUND", `there is no agent "${name}"`);
      const spec = unsealAgent(stored.agent, stored.sealed, sealer);
      // A name that led to a public address when it was registered may lead elsewhere now.
      if (stored.registration && spec.transport !== "inbox" && spec.url !== undefined) await guard(spec.url);
      return spec;
    },
    probe: probeAgent,
    tryTask: (agent, task, signal) => tryTask(hub, agent, task, signal),
    clock,
    random: Math.random,
    everyMs: probeSeconds * 1000,
    report: (problem) => report(problem, ""),
  });
}
