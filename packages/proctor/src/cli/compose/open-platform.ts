// What a hub of this process offers beside runs: each part is one line here, and made in a file of its own.
import type { Platform } from "../../core/ports/platform.ts";
import type { Config } from "../config/load-config.ts";
import { openMessages, type OpenMessagesDeps } from "./open-messages.ts";

export interface OpenPlatform extends Platform {
  /** Continues what the last process left. Only a hub does. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export type PlatformDeps = OpenMessagesDeps;

export function openPlatform(config: Config, deps: PlatformDeps): OpenPlatform {
  const messages = openMessages(config, deps);
  return {
    messages,
    start: () => messages.start(),
    close: () => messages.close(),
  };
}
