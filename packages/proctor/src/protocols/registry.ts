// The list of protocols, and the lookup from an agent's address to the driver that speaks it.
import type { AgentSpec } from "../core/agent.ts";
import type { AgentDriver, DriverLookup } from "../core/ports/driver.ts";
import { schemeOf, unknownScheme } from "../core/unknown-scheme.ts";
import type { Finding } from "../runtime/yaml/findings.ts";
import { a2a } from "./a2a/index.ts";
import { agentProtocol } from "./agent-protocol/index.ts";
import { atp } from "./atp/index.ts";
import { envelope } from "./envelope/index.ts";
import { mcp } from "./mcp/index.ts";
import { openai } from "./openai/index.ts";
import type { DriverOptions, Protocol } from "./protocol.ts";
import { replay } from "./replay/index.ts";
import { rest } from "./rest/index.ts";
import { scriptTool } from "./script-tool/index.ts";
import { term } from "./term/index.ts";
import { text } from "./text/index.ts";

export const PROTOCOLS: readonly Protocol[] = [
  atp,
  a2a,
  agentProtocol,
  term,
  openai,
  rest,
  text,
  replay,
  envelope,
  mcp,
  scriptTool,
];

export function schemes(protocols: readonly Protocol[] = PROTOCOLS): string[] {
  return protocols.flatMap(({ id, transports }) =>
    transports.map((transport) => schemeOf({ protocol: id, transport })),
  );
}

export function createDriverLookup(
  options: DriverOptions,
  protocols: readonly Protocol[] = PROTOCOLS,
): DriverLookup {
  const drivers = new Map<string, { protocol: Protocol; driver: AgentDriver }>();
  const replayers = new Map(protocols.map(({ id, replay: play }) => [id, play]));
  for (const protocol of protocols) {
    const driver = protocol.createDriver({ ...options, replayerOf: (id) => replayers.get(id) });
    for (const transport of protocol.transports)
      drivers.set(schemeOf({ protocol: protocol.id, transport }), { protocol, driver });
  }
  return (spec: AgentSpec) => {
    const found = drivers.get(schemeOf(spec));
    if (found === undefined) throw unknownScheme(schemeOf(spec), [...drivers.keys()]);
    const { protocol, driver } = found;
    return protocol.talksOf ? { ...driver, talks: protocol.talksOf(spec) } : driver;
  };
}

/** Returns what is wrong with an agent's options; nothing for an unknown protocol, which is reported elsewhere. */
export function checkOptions(
  spec: AgentSpec,
  protocols: readonly Protocol[] = PROTOCOLS,
): readonly Finding[] {
  const protocol = protocols.find(({ id, transports }) => {
    return id === spec.protocol && transports.includes(spec.transport);
  });
  if (protocol?.checkOptions) return protocol.checkOptions(spec.options ?? {}, spec);
  if (protocol === undefined || spec.options === undefined) return [];
  return [{ path: [], at: "value", message: `agents that speak ${protocol.id} take no options` }];
}
