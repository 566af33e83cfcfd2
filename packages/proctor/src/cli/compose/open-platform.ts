// What a hub in this process offers beside runs, each part from a file of its own.
import type { Hub } from "../../core/ports/hub.ts";
import type { Platform } from "../../core/ports/platform.ts";
import type { Config } from "../config/load-config.ts";
import { openProber } from "./open-prober.ts";
import { openRegistry, type OpenRegistryDeps } from "./open-registry.ts";
import type { Prober } from "../../agents/prober.ts";
import type { LiveRegistry } from "../../agents/live-registry.ts";

export interface OpenPlatform extends Platform {
  registry: LiveRegistry;
  /** What a hub does beside answering; a command never starts it. */
  start(hub: Hub): Promise<void>;
  /** Call it before the store is closed. */
  close(): Promise<void>;
}

export type OpenPlatformDeps = OpenRegistryDeps;

export function openPlatform(config: Config, deps: OpenPlatformDeps): OpenPlatform {
  const registry = openRegistry(config, deps);
  let prober: Prober | undefined;
  return {
    registry,
    async start(hub) {
      await registry.start();
      prober = openProber(config, registry, hub, deps);
      prober?.start();
    },
    async close() {
      await prober?.close();
      await registry.close();
    },
  };
}
