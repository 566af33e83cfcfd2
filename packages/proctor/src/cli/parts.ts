// The two heavy parts of the program, loaded when a command first needs them: reading the configuration, and the
// composition of stores, protocols and server.
import type { Composition } from "./composition.ts";
import type { Config, ConfigSources } from "./config.ts";

export interface Parts {
  loadConfig(sources: ConfigSources): Promise<Config>;
  compose(): Promise<Composition>;
}

export function lazyParts(): Parts {
  return {
    loadConfig: async (sources) => (await import("./config.ts")).loadConfig(sources),
    compose: () => import("./compose/compose.ts"),
  };
}
