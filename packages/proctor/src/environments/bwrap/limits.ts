// How each limit of an environment is enforced here, and what is said of it.
import type { EnvironmentLimits } from "../../core/environment.ts";
import type { Cgroup } from "./cgroup.ts";
import type { Machine } from "./machine.ts";

/** Megabytes of the file system in memory when the request does not limit it. */
const DISK_MB = 2048;
const INODES_PER_MB = 256;

/** Returns options of the file system in memory. `isFilled`: its initial content does not count towards the limit. */
export function memoryOptions({ disk_mb: limit = DISK_MB }: EnvironmentLimits, isFilled = false): string {
  const disk = isFilled ? 2 * limit : limit;
  return `size=${disk}m,nr_inodes=${Math.max(disk * INODES_PER_MB, 4096)},mode=755`;
}

interface Enforcement {
  /** Arguments of `ulimit` for every program. */
  rlimits: string[];
  enforced: string[];
  notes: string[];
}

export function enforce(
  { root }: Machine,
  limits: EnvironmentLimits,
  cgroup: Pick<Cgroup, "enforced">,
  upperOnDisk: boolean,
): Enforcement {
  const has = (name: keyof EnvironmentLimits): boolean => cgroup.enforced.includes(name);
  // Core dumps are disabled, because an environment must not use this machine's handler for them.
  const rlimits = ["-c 0", "-S -n 65536 2>/dev/null"];
  const enforced = new Set(cgroup.enforced.map(String));
  const notes: string[] = [];
  if (limits.memory_mb !== undefined && !has("memory_mb")) {
    rlimits.push(`-v ${limits.memory_mb * 1024}`);
    enforced.add("memory_mb");
    notes.push("memory is limited for each process by itself: no group of processes can be limited here");
  }
  // The kernel does not count root's processes.
  if (limits.processes !== undefined && !has("processes") && !root) {
    // Shells use different letters for this limit.
    rlimits.push(`-p ${limits.processes} 2>/dev/null || ulimit -u ${limits.processes}`);
    enforced.add("processes");
  }
  if (limits.disk_mb !== undefined && !upperOnDisk) enforced.add("disk_mb");
  if (limits.output_mb !== undefined) enforced.add("output_mb");
  return { rlimits, enforced: [...enforced], notes };
}
