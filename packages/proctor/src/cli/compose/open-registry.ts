// The registry of a hub in this process, from its concrete parts.
import type { NewAgent } from "../../core/ports/hub.ts";
import { checkAgent, type AgentChecks } from "../../agents/check-agent.ts";
import { createLiveRegistry, type LiveRegistry, type LiveRegistryDeps } from "../../agents/live-registry.ts";
import { followRuns } from "../../agents/follow-runs.ts";
import { createSchemaFits, type SchemaFits } from "../../agents/schema-fits.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { createSerial } from "../../engine/serial.ts";
import { createEndpointGuard } from "../../runtime/addresses/endpoint-guard.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { compileUnlimited } from "../../suites/json/json-schema.ts";
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
/** Without these keywords, validation takes at most as long as the schema is large, times the value. */
const SLOW_KEYWORDS =
  /"(?:pattern|patternProperties|format|uniqueItems|propertyNames|\$ref|\$dynamicRef|\$recursiveRef)"/;
/** Characters up to which schema and value count as small: the work of both together is then below a millisecond. */
const SMALL_CHARS = 10_000;

export function openRegistry(
  config: Pick<Config, "apiHost" | "agentHosts">,
  deps: OpenRegistryDeps,
): LiveRegistry {
  const registry = createLiveRegistry({
    ...deps,
    serial: createSerial(),
    fits: openSchemaFits(),
    check: (agent) => checkKnown(agent, deps),
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

function openSchemaFits(): SchemaFits {
  const isSmall = createSizeCheck();
  return createSchemaFits((schema) => {
    const check = compileUnlimited(schema, COMPILE_LIMIT_MS);
    const isShort = !SLOW_KEYWORDS.test(JSON.stringify(schema).slice(0, SMALL_CHARS + 1)) && isSmall(schema);
    return (value) =>
      isShort && isSmall(value)
        ? check(value)?.message
        : withinCpuTime("the check against the schema", () => check(value)?.message, CHECK_LIMIT_MS);
  });
}

/** A search holds one value against many schemas: its size is looked at once. */
function createSizeCheck(): (value: Json) => boolean {
  let last: Json = null;
  let result = true;
  return (value) => {
    if (value !== last) {
      last = value;
      result = JSON.stringify(value).length <= SMALL_CHARS;
    }
    return result;
  };
}

/** An agent that is reached through its inbox, or a server of tools, needs no driver to be registered. */
function checkKnown(agent: NewAgent, checks: AgentChecks): void {
  try {
    checkAgent(agent, checks);
  } catch (error) {
    const isDriven = agent.transport !== "inbox" && agent.protocol !== "mcp";
    if (isDriven || !ProctorError.is(error) || error.code !== "UNKNOWN_SCHEME") throw error;
  }
}
