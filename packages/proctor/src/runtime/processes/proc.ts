// What Linux reports about processes under /proc. A process may vanish between any two reads; then there is no answer.
import { readdirSync, readFileSync } from "node:fs";

/** Lists process ids; with `newerThanPid` only those allocated after it, unless the counter has wrapped since. */
export function listPids(newerThanPid?: number): number[] {
  const after = newerThanPid !== undefined && lastPid() >= newerThanPid ? newerThanPid : 0;
  const pids: number[] = [];
  for (const name of names()) {
    const pid = Number(name);
    if (pid > after && pid !== process.pid) pids.push(pid);
  }
  return pids;
}

/** Returns the environment as it was when the program started, each variable between NULs; empty while it is starting. */
export function readEnvironment(pid: number): string | undefined {
  const text = read(`/proc/${pid}/environ`);
  return text === undefined || text === "" ? text : `\0${text}\0`;
}

/** Returns the words that the program was started with; none for a process that has ended, and for one of the kernel. */
export function readCommandLine(pid: number): string[] {
  const text = read(`/proc/${pid}/cmdline`) ?? "";
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

/** The fields of `/proc/<pid>/stat` that are used. */
interface ProcessStat {
  /** Whether the process has ended and waits for its parent to notice. */
  ended: boolean;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks from the machine's start to the process's. */
  startTime: string;
}

/** Returns undefined when there is no such process, or no /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name is in parentheses and may hold anything, so count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ", 20);
  return {
    ended: fields[0] === "Z" || fields[0] === "X",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: fields[19] ?? "",
  };
}

/**
 * Returns whether a thread of the process group runs, or waits for a processor or a disk: however busy the machine is, the group is not
 * done yet. False on systems that do not report it.
 */
export function isGroupBusy(groupId: number): boolean {
  return listPids(groupId - 1).some((pid) => readStat(pid)?.group === groupId && isBusy(pid));
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

/** Returns the newest process id of this namespace, or NaN. */
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
