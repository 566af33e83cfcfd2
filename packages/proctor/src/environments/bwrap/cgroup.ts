// The groups of one environment: made with its limits, entered by each of its programs, removed when they are empty.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EnvironmentLimits } from "../../core/environment.ts";
import { sendSignal } from "../../runtime/processes/signal.ts";
import type { CgroupHome, Controller } from "./cgroup-home.ts";

export interface Cgroup {
  /** Names of the limits that the group enforces. */
  readonly enforced: readonly (keyof EnvironmentLimits)[];
  /** A file for each group; a process joins the group by writing 0 to it. */
  readonly entrances: readonly string[];
  /** Sets the memory limit in bytes; undefined when the group does not limit memory. */
  setMemory?: (bytes: number) => void;
  /** Kills the processes left in the groups, and resolves when the groups are removed. */
  remove(): Promise<void>;
}

const MB = 1024 * 1024;
const PERIOD_US = 100_000;
const REMOVE_MS = 5000;

/** Creates the groups; `remember` is called with their directories before they are made. */
export function createCgroup(
  home: CgroupHome,
  id: string,
  limits: EnvironmentLimits,
  remember: (dirs: readonly string[]) => void = () => undefined,
): Cgroup {
  const wanted: Partial<Record<Controller, number>> = {
    ...(limits.memory_mb !== undefined && { memory: limits.memory_mb * MB }),
    ...(limits.processes !== undefined && { pids: limits.processes }),
    ...(limits.cpus !== undefined && { cpu: limits.cpus }),
  };
  const groups = (Object.keys(wanted) as Controller[]).flatMap((controller) => {
    const place = home[controller];
    return place === undefined
      ? []
      : [{ controller, version: place.version, dir: join(place.dir, groupName(id)) }];
  });
  const dirs = [...new Set(groups.map(({ dir }) => dir))];
  const memory = groups.find(({ controller }) => controller === "memory");
  remember(dirs);
  try {
    for (const dir of dirs) mkdirSync(dir);
    for (const { controller, version, dir } of groups)
      setLimit(dir, controller, version, wanted[controller] ?? 0);
  } catch (error) {
    for (const dir of dirs) tryRemove(dir);
    throw error;
  }
  return {
    enforced: groups.map(({ controller }) => LIMITED[controller]),
    // Version 1 moves a single thread without stopping all processes, and our shell has only one.
    entrances: groups
      .map(({ dir, version }) => join(dir, version === 1 ? "tasks" : "cgroup.procs"))
      .filter(isFirst),
    ...(memory !== undefined && {
      setMemory: (bytes: number) => setLimit(memory.dir, "memory", memory.version, bytes),
    }),
    remove: () => removeGroups(dirs),
  };
}

export function groupName(id: string): string {
  return `proctor-${id}`;
}

export async function removeGroups(dirs: readonly string[]): Promise<void> {
  const until = performance.now() + REMOVE_MS;
  let left = dirs.filter((dir) => !tryRemove(dir));
  for (let wait = 1; left.length > 0; wait = Math.min(wait * 2, 50)) {
    if (performance.now() > until)
      throw new Error(`these groups of processes cannot be removed: ${left.join(", ")}`);
    for (const dir of left) for (const pid of members(dir)) sendSignal(pid, "SIGKILL");
    await delay(wait);
    left = left.filter((dir) => !tryRemove(dir));
  }
}

const LIMITED: Record<Controller, keyof EnvironmentLimits> = {
  memory: "memory_mb",
  pids: "processes",
  cpu: "cpus",
};

function setLimit(dir: string, controller: Controller, version: 1 | 2, amount: number): void {
  const set = (name: string, value: string | number): void => writeFileSync(join(dir, name), String(value));
  const trySet = (name: string, value: string | number): boolean => {
    try {
      set(name, value);
      return true;
    } catch {
      return false;
    }
  };
  switch (controller) {
    case "memory":
      if (version === 2) {
        set("memory.max", amount);
        trySet("memory.swap.max", 0);
        return;
      }
      // The limit with swap may never be below the one without, so the order depends on the former value.
      trySet("memory.memsw.limit_in_bytes", amount);
      set("memory.limit_in_bytes", amount);
      trySet("memory.memsw.limit_in_bytes", amount);
      return;
    case "pids":
      return set("pids.max", amount);
    case "cpu":
      if (version === 2) return set("cpu.max", `${Math.round(amount * PERIOD_US)} ${PERIOD_US}`);
      set("cpu.cfs_period_us", PERIOD_US);
      return set("cpu.cfs_quota_us", Math.round(amount * PERIOD_US));
  }
}

function members(dir: string): number[] {
  try {
    return readFileSync(join(dir, "cgroup.procs"), "utf8")
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Removes a directory; returns true when it is gone. */
function tryRemove(dir: string): boolean {
  try {
    rmdirSync(dir);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

function isFirst(item: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(item) === index;
}
