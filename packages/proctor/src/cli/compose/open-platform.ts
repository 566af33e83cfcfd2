// What a hub in this process offers beside runs (document 004), each part from a file of its own.
import type { Access } from "../../access/open-access.ts";
import type { LiveRegistry } from "../../agents/live-registry.ts";
import type { Platform } from "../../core/ports/platform.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { Authority } from "../../core/ports/tokens.ts";
import type { Config } from "../config/load-config.ts";
import { openRegistry, type OpenRegistryDeps } from "./open-registry.ts";
import type { PublishedRunAccess } from "./run-access.ts";

export interface OpenPlatform extends Platform {
  registry: LiveRegistry;
  /** What every door of this hub asks. */
  authority: Authority;
  /** What a hub does beside answering; a command never starts it. */
  start(): Promise<void>;
  /** Tells agents' programs where the hub is. */
  runAccess: PublishedRunAccess;
  /** Writes what waits to be written. Call it before the store is closed. */
  close(): Promise<void>;
}

export interface OpenPlatformDeps extends Omit<OpenRegistryDeps, "tokens" | "authority"> {
  access: Access;
  runAccess: PublishedRunAccess;
  scriptTools: ScriptTools & { close(): Promise<void> };
}

export function openPlatform(
  config: Config,
  { access, runAccess, scriptTools, ...deps }: OpenPlatformDeps,
): OpenPlatform {
  const { tokens, authority } = access;
  const registry = openRegistry(config, { ...deps, tokens, authority });
  return {
    registry,
    scriptTools,
    tokens,
    authority,
    runAccess,
    async start() {
      await registry.start();
    },
    async close() {
      await scriptTools.close();
      await registry.close();
      await access.close();
    },
  };
}
