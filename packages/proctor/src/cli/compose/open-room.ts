// Watches the disk on which the runs of this process have their files.
import { systemClock } from "../../runtime/time/system-clock.ts";
import { watchRoom, type WatchedRoom } from "../../runtime/files/watch-room.ts";
import type { Config } from "../config/load-config.ts";

export function openRoom(
  { dataDir }: Config,
  deps: { report: (problem: unknown, runId: string) => void; onRoom: () => void },
): Promise<WatchedRoom> {
  const report = (change: string): void => deps.report(change, "");
  return watchRoom({ folder: dataDir, clock: systemClock, report, onRoom: deps.onRoom });
}
