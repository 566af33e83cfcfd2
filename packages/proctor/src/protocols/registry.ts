// The list of protocols, and the lookup from an agent's address to the driver that speaks it.
import type { AgentSpec } from "../core/agent.ts";
import type { AgentDriver, DriverLookup } from "../core/ports/driver.ts";
import { schemeOf, unknownScheme } from "../core/unknown-scheme.ts";
import { agentProtocol } from "./agent-protocol/index.ts";
import { atp } from "./atp/index.ts";
import { openai } from "./openai/index.ts";
import type { DriverOptions, Protocol } from "./protocol.ts";
import { replay } from "./replay/index.ts";
import { term } from "./term/index.ts";

export const PROTOCOLS: readonly Protocol[] = [atp, agentProtocol, term, openai, replay];

export function schemes(protocols: readonly Protocol[] = PROTOCOLS): string[] {
  return protocols.flatMap(({ id, transports }) => transports.map((transport) => `${id}+${transport}`));
}

export function createDriverLookup(
  options: DriverOptions,
  protocols: readonly Protocol[] = PROTOCOLS,
): DriverLookup {
  const drivers = new Map<string, AgentDriver>();
  const replayers = new Map(protocols.map(({ id, replay: play }) => [id, play]));
  for (const protocol of protocols) {
    const driver = protocol.createDriver({ ...options, replayerOf: (id) => replayers.get(id) });
    for (const transport of protocol.transports) drivers.set(`${protocol.id}+${transport}`, driver);
  }
  return (spec: AgentSpec) => {
    const driver = drivers.get(schemeOf(spec));
    if (driver) return driver;
    throw unknownScheme(schemeOf(spec), [...drivers.keys()]);
  };
}
