// What Linux tells about processes under /proc. A process may vanish between any two reads; then there is no answer.
import { readdirSync, readFileSync } from "node:fs";

/** Process ids; with `newerThanPid` only those allocated after it, unless the counter has wrapped since. */
export function listPids(newerThanPid?: number): number[] {
  const after = newerThanPid !== undefined && lastPid() >= newerThanPid ? newerThanPid : 0;
  const pids: number[] = [];
  for (const name of names()) {
    const pid = Number(name);
    if (pid > after && pid !== process.pid) pids.push(pid);
  }
  return pids;
}

/** The environment as it was when the program started, each variable between NULs; empty while it is starting. */
export function readEnvironment(pid: number): string | undefined {
  const text = read(`/proc/${pid}/environ`);
  return text === undefined || text === "" ? text : `\0${text}\0`;
}

export interface ProcessState {
  /** Ended, and waiting for its parent to notice. */
  ended: boolean;
  kernel: boolean;
  groupId: number;
}

export function readState(pid: number): ProcessState | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name is in parentheses and may hold anything, so count from the last one: state, parent, group.
  const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ", 3);
  return {
    ended: state === "Z" || state === "X",
    kernel: parent === "2" || pid === 2,
    groupId: Number(group),
  };
}

/**
 * Whether a thread in the process group runs, waits for a processor or for a disk: however busy the machine is, it is not done yet.
 * Where this cannot be known, it is never busy.
 */
export function isGroupBusy(groupId: number): boolean {
  return listPids(groupId - 1).some((pid) => readState(pid)?.groupId === groupId && isBusy(pid));
}

export function isBusy(pid: number): boolean {
  const threads = names(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/stat`) ?? "");
  return threads.some((text) => /^[RD] /.test(text.slice(text.lastIndexOf(")") + 2)));
}

function names(folder = "/proc"): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The newest process id of this namespace, or NaN. */
function lastPid(): number {
  return Number(read("/proc/loadavg")?.trim().split(" ").at(-1));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
