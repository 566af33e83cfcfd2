// Programs of environments that were never destroyed must not outlive this process.
import { sendSignal, signalGroup } from "../process/signal.ts";
import { findMarked } from "./kill-marked.ts";

const open = new Map<string, Set<number>>();

/** Returns what keeps the numbers of its process groups, and lets go of it. */
export function dieWithUs(mark: string): { groups: Set<number>; release: () => void } {
  if (open.size === 0) process.on("exit", killAll);
  const groups = new Set<number>();
  open.set(mark, groups);
  return {
    groups,
    release() {
      open.delete(mark);
      if (open.size === 0) process.off("exit", killAll);
    },
  };
}

function killAll(): void {
  for (const [mark, groups] of open) {
    for (const leader of groups) signalGroup(leader, "SIGKILL");
    if (process.platform === "linux") for (const pid of findMarked(mark).pids) sendSignal(pid, "SIGKILL");
  }
}
