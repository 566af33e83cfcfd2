// Who holds the data directory. With SQLite its holder is the only process that writes. With a database that processes share, any may
// write: the first one there still takes the lock, so that commands find it and what a crash left is removed by one process alone.
import { ProctorError } from "../../core/errors.ts";
import { acquireLock, lockFileOf, type Lock } from "../../hub/hub-lock.ts";
import type { Config } from "../config/load-config.ts";

export interface HeldDataDir extends Lock {
  /** True when no other process uses the directory: no process owns what is left in it. */
  alone: boolean;
}

type HoldOptions = Parameters<typeof acquireLock>[1];

/** Takes the lock of the data directory. `shared` says that others may use the directory, because none of them writes to a database there. */
export async function holdDataDir(
  config: Config,
  options: HoldOptions,
  shared = config.databaseUrl !== undefined,
): Promise<HeldDataDir> {
  const file = lockFileOf(config.databaseFile);
  if (!shared) return { ...(await acquireLock(file, options)), alone: true };
  try {
    const lock = await acquireLock(file, { ...options, waitMs: 0 });
    return { ...lock, isHeld: () => Promise.resolve(true), alone: true };
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "DATA_DIR_LOCKED") throw error;
    return {
      publish: () => Promise.resolve(),
      isHeld: () => Promise.resolve(true),
      release: () => Promise.resolve(),
      alone: false,
    };
  }
}
