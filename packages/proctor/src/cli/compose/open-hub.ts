// Finds the hub a command is to talk to: one elsewhere, the one that holds the data directory, or one in this process.
import { existsSync } from "node:fs";
import { readSse } from "../../channels/sse/read-sse.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Platform } from "../../core/ports/platform.ts";
import { createHttpHub } from "../../hub/http-hub.ts";
import { createHttpPlatform } from "../../hub/http-platform.ts";
import { lockFileOf, readLock, type Lock } from "../../hub/hub-lock.ts";
import type { Config } from "../config/load-config.ts";
import { holdDataDir, type HeldDataDir } from "./hold-data-dir.ts";

export interface OpenHub {
  hub: Hub;
  /** What the hub offers in addition to runs. */
  platform: Platform;
  where: "in-process" | "remote";
  /** True when the hub is in this process or holds a data directory here. A hub that was named by its address counts as elsewhere. */
  onThisMachine: boolean;
  close(): Promise<void>;
}

/** Milliseconds for which a command waits for another that is about to end: too short to be noticed. */
const WAIT_FOR_LOCK_MS = 2000;

/** Number of words of a command that other processes show: `proctor tasks run`. */
const MAX_WORDS = 3;

async function closeLocal(hub: Hub, lock: Lock): Promise<void> {
  try {
    await hub.close();
  } finally {
    await lock.release();
  }
}

/**
 * Opens the right hub: `--hub`/`PROCTOR_URL` → over HTTP; the data directory's lock names a running hub → over HTTP;
 * otherwise in this process, which takes the lock. "read" opens the store read-only and without the lock. The signal
 * ends a wait for the lock.
 */
export async function openHub(
  config: Config,
  mode: "read" | "write",
  signal?: AbortSignal,
): Promise<OpenHub> {
  const elsewhere = await findHub(config);
  if (elsewhere) return connect(elsewhere);
  // Stores, the engine and protocols are most of what a command loads, and one that talks to a hub elsewhere needs none of them.
  const { ignoreProblem, openLocal, openReader } = await import("./local-hub.ts");
  const isThere = config.databaseUrl !== undefined || existsSync(config.databaseFile);
  if (mode === "read" && isThere) {
    const { hub, platform } = await openReader(config);
    return { hub, platform, where: "in-process", onThisMachine: true, close: () => hub.close() };
  }
  let lock: HeldDataDir;
  try {
    lock = await holdDataDir(config, {
      command: commandName(),
      waitMs: WAIT_FOR_LOCK_MS,
      ...(signal && { signal }),
    });
  } catch (error) {
    // A hub may have taken the directory while we waited: then go through that one.
    const hub = await findHub(config);
    if (hub) return connect(hub);
    throw error;
  }
  try {
    const { hub, platform, engine } = await openLocal(config, {
      ownRunsOnly: true,
      report: ignoreProblem,
      alone: lock.alone,
    });
    await engine.start();
    return { hub, platform, where: "in-process", onThisMachine: true, close: () => closeLocal(hub, lock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface HubAddress {
  url: string;
  onThisMachine: boolean;
  token?: string;
}

export async function findHub(config: Config): Promise<HubAddress | undefined> {
  const [token] = config.tokens;
  if (config.hubUrl !== undefined)
    return { url: config.hubUrl, onThisMachine: false, ...(token !== undefined && { token }) };
  const holder = await readLock(lockFileOf(config.databaseFile));
  if (holder?.url == null) return undefined;
  return { url: holder.url, onThisMachine: true, ...(holder.token !== null && { token: holder.token }) };
}

function connect({ onThisMachine, ...address }: HubAddress): OpenHub {
  const hub = createHttpHub({ ...address, readSse });
  const platform = createHttpPlatform({ ...address, readSse });
  return { hub, platform, where: "remote", onThisMachine, close: () => hub.close() };
}

/** Returns the command as it was typed, up to the first flag: what follows may be a secret. */
function commandName(): string {
  const words = process.argv.slice(2);
  const flag = words.findIndex((word) => word.startsWith("-"));
  return ["proctor", ...words.slice(0, flag === -1 ? MAX_WORDS : Math.min(flag, MAX_WORDS))].join(" ");
}
