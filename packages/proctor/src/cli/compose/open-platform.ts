// What a hub offers beside runs (document 004), from its concrete parts. Each part is opened in a file of its own.
import type { Environments } from "../../core/ports/environments.ts";
import type { Platform } from "../../core/ports/platform.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Config } from "../config/load-config.ts";
import { openScriptTools } from "./open-script-tools.ts";

interface PlatformDeps {
  store: Store;
  environments: Environments;
  /** Id of the hub, which marks the programs it starts. */
  hubId: string;
}

export interface LocalPlatform extends Platform {
  /** Ends what is under way. Call it before the store is closed. */
  close(): Promise<void>;
}

export async function openPlatform(
  config: Config,
  { store, environments, hubId }: PlatformDeps,
): Promise<LocalPlatform> {
  const scriptTools = openScriptTools(config, { store, environments, hubId });
  return {
    scriptTools,
    async close() {
      await scriptTools.close();
    },
  };
}
