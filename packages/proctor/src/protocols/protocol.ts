// What a protocol folder offers. Each is one line in registry.ts; nothing else in Proctor names a protocol.
import type { AgentDriver } from "../core/ports/driver.ts";

/** What the hub gives to drivers that need it. */
export interface DriverSetting {
  /** Marks processes of this hub, so that those a crash left behind can be found. */
  hubId: string;
}

export interface Protocol {
  /** The word before `+` in an address. */
  id: string;
  /** The words after it, which `createDriver` understands. */
  transports: readonly string[];
  /** Document versions it speaks. */
  versions: readonly string[];
  createDriver(setting: DriverSetting): AgentDriver;
}
