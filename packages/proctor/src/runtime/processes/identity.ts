// Which process a pid means, and whether it is still alive. A pid alone is used again; together with its start time it is unique.
import { readStat } from "./proc.ts";

interface ProcessIdentity {
  pid: number;
  /** Clock ticks from the machine's start to the process's, on Linux; null on other systems, where only the pid is compared. */
  startTime: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: readStat(process.pid)?.startTime ?? null };
}

/** Returns true while exactly that process lives. A zombie has ended: it no longer holds anything. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const stat = readStat(pid);
  if (stat === undefined) return signalReaches(pid);
  return !stat.ended && (startTime === null || startTime === stat.startTime);
}

/** Returns an identity as part of a file's name. */
export function formatIdentity({ pid, startTime }: ProcessIdentity): string {
  return `${pid}-${startTime ?? 0}`;
}

/** Returns undefined for a text that `formatIdentity` did not make. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, pid, startTime] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return pid === undefined || startTime === undefined
    ? undefined
    : { pid: Number(pid), startTime: startTime === "0" ? null : startTime };
}

function signalReaches(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
