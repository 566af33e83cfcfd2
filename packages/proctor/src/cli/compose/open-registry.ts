// The registry of a hub in this process, from its concrete parts.
import { checkAgent, type AgentChecks } from "../../agents/check-agent.ts";
import { createLiveRegistry, type LiveRegistry, type LiveRegistryDeps } from "../../agents/live-registry.ts";
import { followRuns } from "../../agents/follow-runs.ts";
import { createSerial } from "../../core/serial.ts";
import { createEndpointGuard } from "../../runtime/addresses/endpoint-guard.ts";
import type { Config } from "../config/load-config.ts";
import { openSchemaFits } from "./open-schema-fits.ts";

export interface OpenRegistryDeps
  extends
    AgentChecks,
    Pick<LiveRegistryDeps, "store" | "sealer" | "clock" | "tokens" | "authority" | "readOnly"> {
  report: (problem: unknown, runId: string) => void;
}

export function openRegistry(
  config: Pick<Config, "apiHost" | "agentHosts">,
  deps: OpenRegistryDeps,
): LiveRegistry {
  const registry = createLiveRegistry({
    ...deps,
    serial: createSerial(),
    fits: openSchemaFits({ givesUp: true }),
    check: (agent) => void checkAgent(agent, deps),
    discover: async (url) => (await import("./discover-agent.ts")).discoverAgent(url),
    guard: createEndpointGuard({ hubHost: config.apiHost, allowHosts: config.agentHosts }),
    report: (problem) => deps.report(problem, ""),
  });
  const measuring = followRuns(deps.store, registry, (problem) => deps.report(problem, ""));
  return {
    ...registry,
    async close() {
      await measuring.close();
      await registry.close();
    },
  };
}
