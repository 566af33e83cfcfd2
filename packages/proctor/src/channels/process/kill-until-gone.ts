// Kills what a look finds, and looks again until it finds nothing: a process can fork while it is being killed.
import { setTimeout as delay } from "node:timers/promises";
import { signalPid } from "./group.ts";

export interface Sighting {
  /** Processes that have to go. */
  pids: readonly number[];
  /** A process was just being started and could not be told yet; worth another look. */
  unsettled: boolean;
}

/** A process that does not die of SIGKILL hangs in the kernel; waiting longer would not help. */
const PATIENCE_MS = 3000;
const LOOKS_AT_UNSETTLED = 4;

/** The number of processes that were killed. */
export async function killUntilGone(look: () => Sighting): Promise<number> {
  const killed = new Set<number>();
  const deadline = Date.now() + PATIENCE_MS;
  let unsettledLooks = 0;
  for (let round = 0; ; round++) {
    const { pids, unsettled } = look();
    if (unsettled) unsettledLooks++;
    for (const pid of pids) {
      signalPid(pid, "SIGKILL");
      killed.add(pid);
    }
    const done = pids.length === 0 && (!unsettled || unsettledLooks >= LOOKS_AT_UNSETTLED);
    if (done || Date.now() > deadline) return killed.size;
    await delay(Math.min(2 ** round, 50));
  }
}
