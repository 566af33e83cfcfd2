// Which process a pid means. A pid alone can be recycled; together with its start time it cannot.
import { readFile } from "node:fs/promises";

export interface ProcessIdentity {
  pid: number;
  /** Linux: clock ticks since boot. Null where the system does not tell cheaply. */
  startTime: string | null;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startTime: (await readStat(process.pid))?.startTime ?? null };
}

/** True while exactly that process lives. A zombie has ended: it holds nothing any more. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (!signalReaches(identity.pid)) return false;
  const stat = await readStat(identity.pid);
  if (stat === undefined) return signalReaches(identity.pid);
  if (stat.state === "Z" || stat.state === "X") return false;
  return identity.startTime === null || identity.startTime === stat.startTime;
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Fields 3 and 22 of /proc/<pid>/stat. Field 2 is the program's name in parentheses and may itself hold any character. */
async function readStat(pid: number): Promise<{ state: string; startTime: string } | undefined> {
  if (process.platform !== "linux") return undefined;
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startTime] = [fields?.[0], fields?.[19]];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}
