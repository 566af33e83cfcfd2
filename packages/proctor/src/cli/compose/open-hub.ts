// Finds the hub a command is to talk to: one elsewhere, the one that holds the data directory, or one in this process.
import { existsSync } from "node:fs";
import { readSse } from "../../channels/sse/read-sse.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { OpenHub } from "../composition.ts";
import type { Config } from "../config.ts";
import { createHttpHub } from "../../hub/http-hub.ts";
import { acquireLock, readLock, type Lock } from "../../hub/hub-lock.ts";
import { ignoreProblem, openLocal, openReader } from "./local-hub.ts";

/** How long a command waits for another that is about to end: no longer than nobody notices. */
const WAIT_FOR_LOCK_MS = 2000;

/** Of a command, for the message to others: `proctor tasks run tasks/`. */
const MAX_WORDS = 3;

async function closeLocal(hub: Hub, lock: Lock): Promise<void> {
  try {
    await hub.close();
  } finally {
    await lock.release();
  }
}

export function lockFile(config: Config): string {
  return `${config.databaseFile}.lock`;
}

export async function openHub(
  config: Config,
  mode: "read" | "write",
  signal?: AbortSignal,
): Promise<OpenHub> {
  const elsewhere = await findHub(config);
  if (elsewhere) return connect(elsewhere);
  if (mode === "read" && existsSync(config.databaseFile)) return openReader(config);
  let lock: Lock;
  try {
    lock = await acquireLock(lockFile(config), {
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
    const { hub, engine } = await openLocal(config, { ownRunsOnly: true, report: ignoreProblem });
    await engine.start();
    return { hub, where: "in-process", close: () => closeLocal(hub, lock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface HubAddress {
  url: string;
  token?: string;
}

async function findHub(config: Config): Promise<HubAddress | undefined> {
  const [token] = config.tokens;
  if (config.hubUrl !== undefined) return { url: config.hubUrl, ...(token !== undefined && { token }) };
  const holder = await readLock(lockFile(config));
  if (holder?.url == null) return undefined;
  return { url: holder.url, ...(holder.token !== null && { token: holder.token }) };
}

function connect(address: HubAddress): OpenHub {
  const hub = createHttpHub({ ...address, readSse });
  return { hub, where: "remote", url: address.url, close: () => hub.close() };
}

/** As it was typed, up to the first flag: what follows may be a secret. */
function commandName(): string {
  const words = process.argv.slice(2);
  const flag = words.findIndex((word) => word.startsWith("-"));
  return ["proctor", ...words.slice(0, flag === -1 ? MAX_WORDS : Math.min(flag, MAX_WORDS))].join(" ");
}
