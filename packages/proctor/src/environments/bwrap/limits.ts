// How each limit of an environment is enforced here, and what is said of it.
import type { EnvironmentLimits } from "../../core/environment.ts";
import type { Cgroup } from "./cgroup.ts";
import type { Machine } from "./machine.ts";

/** The file system in memory when nobody limits it. */
const DISK_MB = 2048;
const INODES_PER_MB = 256;

/** Options of the file system in memory. `isFilled`: what it begins with takes no room from what is written then. */
export function memoryOptions({ disk_mb: limit = DISK_MB }: EnvironmentLimits, isFilled = false): string {
  const disk = isFilled ? 2 * limit : limit;
  return `size=${disk}m,nr_inodes=${Math.max(disk * INODES_PER_MB, 4096)},mode=755`;
}

interface Enforcement {
  /** Words for `ulimit`, of every program. */
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
  // No images of crashed programs: what this machine does with them is not for an environment to use.
  const rlimits = ["-c 0", "-S -n 65536 2>/dev/null"];
  const enforced = new Set(cgroup.enforced.map(String));
  const notes: string[] = [];
  if (limits.memory_mb !== undefined && !has("memory_mb")) {
    rlimits.push(`-v ${limits.memory_mb * 1024}`);
    enforced.add("memory_mb");
    notes.push("memory is limited for each process by itself: no group of processes can be limited here");
  }
  // Root's processes are not counted by the kernel.
  if (limits.processes !== undefined && !has("processes") && !root) {
    // Shells do not agree on the letter.
    rlimits.push(`-p ${limits.processes} 2>/dev/null || ulimit -u ${limits.processes}`);
    enforced.add("processes");
  }
  if (limits.disk_mb !== undefined && !upperOnDisk) enforced.add("disk_mb");
  if (limits.output_mb !== undefined) enforced.add("output_mb");
  return { rlimits, enforced: [...enforced], notes };
}
