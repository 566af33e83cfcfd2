// The lock of a data directory: who writes to it, and where that hub listens. Holding it is a file that names a living
// process; a file that names a dead one is taken over, and of several who try at the same moment exactly one succeeds.
import { messageOf } from "../core/message-of.ts";
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ProctorError } from "../core/errors.ts";
import {
  decodeLock,
  linkExclusively,
  readText,
  successorOf,
  sweepLeftovers,
  writeTemporary,
  type LockDocument,
  type LockInfo,
} from "./lock-file.ts";
import { isAlive, ownIdentity } from "../runtime/processes/identity.ts";

interface LockOptions {
  /** The command that takes the lock, as a user would type it: `proctor up`. */
  command: string;
  url?: string;
  token?: string;
  /** Milliseconds to wait for a holder that is not a listening hub. A hub that listens is reported at once. */
  waitMs?: number;
  /** Called once for each holder that is waited for. */
  onWait?: (holder: LockInfo) => void;
  signal?: AbortSignal;
}

export interface Lock {
  /** Publishes where the hub listens, and the token that lets a local command in. */
  publish(address: { url: string; token?: string }): Promise<void>;
  /** Resolves with false when the file was removed, which may have let another process in. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

const POLL_MS = 50;

export function lockFileOf(databaseFile: string): string {
  return `${databaseFile}.lock`;
}

/** Takes the lock. Throws DATA_DIR_LOCKED while another process holds it; `details` name it. */
export async function acquireLock(file: string, options: LockOptions): Promise<Lock> {
  const deadline = Date.now() + (options.waitMs ?? 0);
  let waitedFor: string | undefined;
  // Only this user may look inside, as the store itself has it.
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  for (;;) {
    options.signal?.throwIfAborted();
    const { pid, startTime } = ownIdentity();
    const document: LockDocument = {
      id: randomUUID(),
      pid,
      process_start: startTime,
      url: options.url ?? null,
      token: options.token ?? null,
      command: options.command,
      started_at: new Date().toISOString(),
    };
    const holder = await tryAcquire(file, document);
    if (holder === "swept") continue;
    if (holder === undefined) {
      await sweepLeftovers(file);
      return createLock(file, document);
    }
    if (holder.url !== null || Date.now() >= deadline) throw locked(file, holder);
    if (waitedFor !== `${holder.pid}`) options.onWait?.(holder);
    waitedFor = `${holder.pid}`;
    await delay(POLL_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

/** Resolves with the holder of the directory, or with undefined when it has none or its holder is dead. */
export async function readLock(file: string): Promise<LockInfo | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  const holder = decodeLock(text);
  return holder !== undefined && holds(holder) ? holder : undefined;
}

/** Tries once. Resolves with the living holder, or with undefined when the lock now belongs to this process. */
async function tryAcquire(file: string, document: LockDocument): Promise<LockInfo | "swept" | undefined> {
  const temporary = await writeTemporary(file, document).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  try {
    for (;;) {
      if (await linkExclusively(temporary, file)) return undefined;
      const head = await readText(file);
      if (head === undefined) continue;
      const outcome = await succeed(file, head, temporary);
      if (outcome === "taken") return undefined;
      if (outcome !== "changed") return outcome;
    }
  } catch (error) {
    // This process slept for so long that the new holder swept our file away.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "swept";
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Takes over from a dead holder. The right to do so is a marker named after the exact text of the dead one's file,
 * created exclusively; whoever dies holding the marker is succeeded by the same rule. A marker is only removed after
 * the lock file was replaced, so the check of the lock file after winning a marker is final: a dead process cannot
 * change its file any more, and every other process needs the marker to do it.
 */
async function succeed(
  file: string,
  head: string,
  temporary: string,
): Promise<LockInfo | "taken" | "changed"> {
  const markers: string[] = [];
  let last = head;
  for (;;) {
    const holder = decodeLock(last);
    if (holder !== undefined && holds(holder)) {
      return (await readText(file)) === head ? holder : "changed";
    }
    const marker = successorOf(file, last);
    if (await linkExclusively(temporary, marker)) {
      if ((await readText(file)) !== head) {
        await rm(marker, { force: true });
        return "changed";
      }
      markers.push(marker);
      break;
    }
    const next = await readText(marker);
    if (next === undefined) return "changed";
    markers.push(marker);
    last = next;
  }
  await rename(temporary, file);
  await Promise.all(markers.map((marker) => rm(marker, { force: true })));
  return "taken";
}

function createLock(file: string, initial: LockDocument): Lock {
  let document = initial;
  let released = false;

  async function isHeld(): Promise<boolean> {
    const text = await readText(file);
    return text !== undefined && decodeLock(text)?.id === document.id;
  }

  return {
    async publish({ url, token }) {
      if (released) return;
      document = { ...document, url, token: token ?? document.token };
      await rename(await writeTemporary(file, document), file);
    },
    isHeld,
    async release() {
      if (released) return;
      released = true;
      // If the file was removed by hand, another process may hold the lock: only this process's own file is removed.
      if (await isHeld()) await rm(file, { force: true });
    },
  };
}

function holds(holder: LockInfo): boolean {
  return isAlive({ pid: holder.pid, startTime: holder.process_start });
}

function locked(file: string, { pid, command, started_at, url }: LockInfo): ProctorError {
  const next =
    url === null
      ? "several commands at once need a hub: start one with `proctor up`, and they all go through it\nor give this one a database of its own: --database file:./other/proctor.db"
      : `it listens on ${url}: use it with --hub ${url}`;
  return new ProctorError(
    "DATA_DIR_LOCKED",
    `${dirname(file)} is in use by \`${command}\` (pid ${pid}, since ${started_at})\n${next}`,
    { details: { pid, command, started_at, url } },
  );
}

function unwritable(file: string, error: unknown): ProctorError {
  const { code } = error as NodeJS.ErrnoException;
  const isFile = code === "EEXIST" || code === "ENOTDIR";
  const reason = isFile ? "it is a file, not a directory" : messageOf(error);
  return new ProctorError(
    "DATA_DIR_UNWRITABLE",
    `${dirname(file)} cannot be written: ${reason}\nchoose another place with --database or DATABASE_URL`,
    { cause: error },
  );
}
