// What every action is given, and the one way in which it gets a hub.
import type { CliIo } from "./cli-io.ts";
import type { Composition, OpenHub } from "./composition.ts";
import type { Config } from "./config.ts";
import type { Parts } from "./parts.ts";

export interface CommandContext {
  io: CliIo;
  parts: Parts;
}

/** Resolves to the exit code. */
export type Action = (context: CommandContext) => Promise<number>;

/** How a command definition hands its action over to main.ts. */
export type Execute = (action: Action) => Promise<void>;

/** The flags that every command takes which talks to a hub. */
export interface HubFlags {
  hub?: string;
  database?: string;
  config?: string;
  /** For those that run something in environments. */
  root?: string;
  buildNetwork?: string;
  unsafeLocal?: boolean;
}

export interface HubSession extends OpenHub {
  config: Config;
  composition: Composition;
}

/** Opens the hub the flags, the environment and the data directory lead to, and closes it whatever happens. */
export async function withHub<T>(
  { io, parts }: CommandContext,
  flags: HubFlags,
  mode: "read" | "write",
  use: (session: HubSession) => Promise<T>,
): Promise<T> {
  const config = await loadHubConfig({ io, parts }, flags);
  const composition = await parts.compose();
  io.signal.throwIfAborted();
  const open = await composition.openHub(config, mode, io.signal);
  try {
    return await use({ ...open, config, composition });
  } finally {
    await open.close();
  }
}

export function loadHubConfig({ io, parts }: CommandContext, flags: HubFlags): Promise<Config> {
  const { hub, database: databaseUrl, config: file, root: environmentRoot, buildNetwork } = flags;
  const unsafeLocal = flags.unsafeLocal === true ? "true" : undefined;
  return parts.loadConfig({
    cwd: io.cwd,
    env: io.env,
    flags: { hub, databaseUrl, config: file, environmentRoot, buildNetwork, unsafeLocal },
  });
}
