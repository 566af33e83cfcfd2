// The registry of a hub in this process, from its concrete parts.
import { checkAgent, type AgentChecks } from "../../agents/check-agent.ts";
import { createLiveRegistry, type LiveRegistry, type LiveRegistryDeps } from "../../agents/live-registry.ts";
import { followRuns } from "../../agents/follow-runs.ts";
import { createSchemaFits } from "../../agents/schema-fits.ts";
import { createSerial } from "../../core/serial.ts";
import { createEndpointGuard } from "../../runtime/addresses/endpoint-guard.ts";
import { compileSchema } from "../../suites/json/json-schema.ts";
import type { Config } from "../config/load-config.ts";

export interface OpenRegistryDeps
  extends
    AgentChecks,
    Pick<LiveRegistryDeps, "store" | "sealer" | "clock" | "tokens" | "authority" | "readOnly"> {
  report: (problem: unknown, runId: string) => void;
}

/** Milliseconds of CPU time for a schema of an agent: the hub does nothing else meanwhile. */
const COMPILE_LIMIT_MS = 500;
const CHECK_LIMIT_MS = 100;

export function openRegistry(
  config: Pick<Config, "apiHost" | "agentHosts">,
  deps: OpenRegistryDeps,
): LiveRegistry {
  const registry = createLiveRegistry({
    ...deps,
    serial: createSerial(),
    fits: createSchemaFits((schema) => {
      const check = compileSchema(schema, COMPILE_LIMIT_MS, CHECK_LIMIT_MS);
      return (value) => check(value)?.message;
    }),
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
