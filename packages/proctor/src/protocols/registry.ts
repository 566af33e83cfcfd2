// The list of protocols, and the lookup from an agent's address to the driver that speaks it.
import type { AgentSpec } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import type { AgentDriver, DriverLookup } from "../core/ports/driver.ts";
import { suggest } from "../core/suggest.ts";
import { atp } from "./atp/index.ts";
import type { DriverSetting, Protocol } from "./protocol.ts";

export const PROTOCOLS: readonly Protocol[] = [atp];

export function schemes(protocols: readonly Protocol[] = PROTOCOLS): string[] {
  return protocols.flatMap(({ id, transports }) => transports.map((transport) => `${id}+${transport}`));
}

export function createDriverLookup(
  setting: DriverSetting,
  protocols: readonly Protocol[] = PROTOCOLS,
): DriverLookup {
  const drivers = new Map<string, AgentDriver>();
  for (const protocol of protocols) {
    const driver = protocol.createDriver(setting);
    for (const transport of protocol.transports) drivers.set(`${protocol.id}+${transport}`, driver);
  }
  return (spec: AgentSpec) => {
    const scheme = `${spec.protocol}+${spec.transport}`;
    const driver = drivers.get(scheme);
    if (driver) return driver;
    const known = [...drivers.keys()];
    const near = suggest(scheme, known);
    throw new ProctorError(
      "UNKNOWN_SCHEME",
      `no protocol speaks "${scheme}"\n   ${near ? `did you mean "${near}"?  ` : ""}supported: ${known.join(", ")}`,
      { details: { scheme, supported: known } },
    );
  };
}
