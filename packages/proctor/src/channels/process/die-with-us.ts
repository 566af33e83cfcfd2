// Process groups that must not outlive this process when it ends without having closed them, as a second Ctrl-C makes it.
import { signalGroup } from "./group.ts";

const groups = new Set<number>();

/** Returns how to let the group go again, to be called when its exit was seen. */
export function dieWithUs(pid: number): () => void {
  if (groups.size === 0) process.on("exit", killGroups);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off("exit", killGroups);
  };
}

function killGroups(): void {
  for (const pid of groups) signalGroup(pid, "SIGKILL");
}
