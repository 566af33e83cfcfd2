// Kills the processes that a search finds, and searches again until it finds nothing: a process can fork while it is being killed.
import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "./signal.ts";
import { readStat } from "./proc.ts";

export interface Sighting {
  /** Processes that have to be killed. */
  pids: readonly number[];
  /** True when a process was just being started and could not be recognised yet: another search is needed. */
  unsettled: boolean;
}

/** Milliseconds to wait for a killed process: one that does not die of SIGKILL hangs in the kernel. */
const PATIENCE_MS = 3000;
/** Milliseconds that a process on a busy machine may take for its exec. After that it counts as one without an environment. */
const UNSETTLED_PATIENCE_MS = 1000;

/** Resolves with the number of processes that were killed. */
export async function killUntilGone(look: () => Sighting): Promise<number> {
  const killed = new Set<number>();
  const startedAt = performance.now();
  for (let round = 0; ; round++) {
    const { pids, unsettled } = look();
    for (const pid of pids) {
      sendSignal(pid, "SIGKILL");
      killed.add(pid);
    }
    const elapsedMs = performance.now() - startedAt;
    const waiting = unsettled && elapsedMs < UNSETTLED_PATIENCE_MS;
    // A dying process no longer shows its mark, but is not gone yet.
    const done = pids.length === 0 && !waiting && [...killed].every(hasEnded);
    if (done || elapsedMs > PATIENCE_MS) return killed.size;
    await delay(Math.min(2 ** round, 50));
  }
}

/** Only Linux tells a dying process from a living one; elsewhere a process counts as gone once it is no longer found. */
function hasEnded(pid: number): boolean {
  return process.platform !== "linux" || (readStat(pid)?.ended ?? true);
}
