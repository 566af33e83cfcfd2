// What a hub offers beside runs (document 004), from its concrete parts. Each part is opened in a file of its own.
import type { Platform } from "../../core/ports/platform.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Authority } from "../../core/ports/tokens.ts";
import type { Config } from "../config/load-config.ts";
import { createRunAccess, type PublishedRunAccess } from "./run-access.ts";
import { openTokens } from "./open-tokens.ts";

interface PlatformDeps {
  store: Store;
  report: (problem: unknown, runId: string) => void;
}

export interface LocalPlatform extends Platform {
  /** What every door of this hub asks. */
  authority: Authority;
  /** Tells agents' programs where the hub is. */
  runAccess: PublishedRunAccess;
  /** Writes what waits to be written. Call it before the store is closed. */
  close(): Promise<void>;
}

export async function openPlatform(config: Config, { store, report }: PlatformDeps): Promise<LocalPlatform> {
  const access = await openTokens(config, { store, report: (problem) => report(problem, "") });
  return {
    tokens: access.tokens,
    authority: access.authority,
    runAccess: createRunAccess(access.authority),
    async close() {
      await access.close();
    },
  };
}
