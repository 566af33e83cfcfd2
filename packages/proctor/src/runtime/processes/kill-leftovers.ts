// After a program has ended: kills what it left behind, in its process group and outside of it.
import { signalGroup } from "./signal.ts";
import { killUntilGone } from "./kill-until-gone.ts";
import { listPids, readStat } from "./proc.ts";
import { lookForMarked } from "./strays.ts";
import type { FindOptions } from "./strays.ts";

export const RUN_VARIABLE = "PROCTOR_RUN_ID";

/** A variable that only the processes in question have in their environment. */
export interface Mark {
  variable: string;
  value: string;
}

/** Resolves with the number of processes killed, when they are gone. */
export async function killLeftovers(
  groupId: number,
  mark: Mark | undefined,
  options: FindOptions,
): Promise<number> {
  let groupGone = false;
  return killUntilGone(() => {
    const members = groupGone ? [] : groupMembers(groupId, options);
    // A group that was empty once is never signalled again: its number may belong to another one by now.
    if (members.length === 0) groupGone = true;
    else signalGroup(groupId, "SIGKILL");
    const strays = mark === undefined ? undefined : lookForMarked(mark.variable, mark.value, options);
    return {
      pids: [...new Set([...members, ...(strays?.pids ?? [])])],
      unsettled: strays?.unsettled ?? false,
    };
  });
}

function groupMembers(groupId: number, options: FindOptions): number[] {
  if (process.platform === "win32" || !signalGroup(groupId, 0)) return [];
  // Only Linux can list them; elsewhere the negative number stands for all of them, as it does to the kernel.
  if (process.platform !== "linux") return [-groupId];
  return listPids(options.newerThanPid).filter((pid) => {
    const stat = readStat(pid);
    return stat?.group === groupId && !stat.ended;
  });
}
