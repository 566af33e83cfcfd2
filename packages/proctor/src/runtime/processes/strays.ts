// Finds and kills processes by a variable in their environment, which children inherit wherever they go: into another
// process group, another session, or to another parent. Linux only; elsewhere nothing is ever found.
import { killUntilGone } from "./kill-until-gone.ts";
import type { Sighting } from "./kill-until-gone.ts";
import { isBusy, listPids, readEnvironment, readStat } from "./proc.ts";

export interface FindOptions {
  /** Only processes that were started after this one are checked. */
  newerThanPid?: number;
}

export function findMarked(variable: string, value: string, options: FindOptions = {}): number[] {
  return [...lookForMarked(variable, value, options).pids];
}

/** Kills the marked processes at once; resolves with their number when they are gone. */
export async function killMarked(variable: string, value: string): Promise<number> {
  return killUntilGone(() => lookForMarked(variable, value));
}

export function lookForMarked(variable: string, value: string, options: FindOptions = {}): Sighting {
  if (process.platform !== "linux") return { pids: [], unsettled: false };
  const mark = `\0${variable}=${Buffer.from(value).toString("latin1")}\0`;
  const pids: number[] = [];
  let unsettled = false;
  for (const pid of listPids(options.newerThanPid)) {
    const environment = readEnvironment(pid);
    if (environment?.includes(mark)) pids.push(pid);
    else if (environment === "") unsettled ||= isStarting(pid);
  }
  return { pids, unsettled };
}

/** Returns whether a process is starting. A living one without an environment is in the middle of exec, or was started without one. */
function isStarting(pid: number): boolean {
  const stat = readStat(pid);
  const isKernel = stat?.parent === 2 || pid === 2;
  return stat !== undefined && !stat.ended && !isKernel && isBusy(pid);
}
