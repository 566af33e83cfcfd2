// Checks every few seconds whether a folder has room for another file, and reports when that changes.
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isNoRoom } from "../../core/no-room.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Room } from "../../core/ports/room.ts";

export interface WatchedRoom extends Room {
  close(): Promise<void>;
}

export interface WatchRoomOptions {
  folder: string;
  clock: Clock;
  /** Called with a sentence when there is no room any more, and when there is again. */
  report: (change: string) => void;
  /** Called when there is room again. */
  onRoom: () => void;
}

const LOOK_EVERY_MS = 2000;
/** Bytes that must be free: with less, hardly a run would come to its end. */
const LEAST_BYTES = 1024 * 1024;
const LEAST_FILES = 16;
const PROBE = Buffer.alloc(4096, " ");

/** Resolves after the first check. */
export async function watchRoom({ folder, clock, report, onRoom }: WatchRoomOptions): Promise<WatchedRoom> {
  const probe = join(folder, `.room-${process.pid}`);
  let full: string | undefined;
  let isClosed = false;
  let callOff = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();

  function change(now: string | undefined): void {
    if (full === now) return;
    const before = full;
    full = now;
    if (now === undefined) {
      report(`there is room in ${folder} again: runs are taken`);
      onRoom();
    } else if (before === undefined) report(`${now}: no run is taken until there is room`);
  }

  /** Other problems with the folder are reported by the runs themselves. */
  async function look(): Promise<void> {
    try {
      const { bavail, bsize, files, ffree } = await statfs(folder);
      const isShort = bavail * bsize < LEAST_BYTES || (files > 0 && ffree < LEAST_FILES);
      // A quota shows only when something is written.
      if (!isShort) await writeFile(probe, PROBE);
      change(isShort ? noRoomIn(folder) : undefined);
    } catch (error) {
      change(isNoRoom(error) ? noRoomIn(folder) : undefined);
    } finally {
      await rm(probe, { force: true }).catch(() => undefined);
    }
  }

  function plan(): void {
    callOff = clock.after(LOOK_EVERY_MS, () => {
      looking = look().then(() => {
        if (!isClosed) plan();
      });
    });
  }

  await look();
  plan();
  return {
    full: () => full,
    met: () => change(noRoomIn(folder)),
    async close() {
      isClosed = true;
      callOff();
      await looking;
    },
  };
}

function noRoomIn(folder: string): string {
  return `no room in ${folder}`;
}
