// How containers and directories of ours are told from others, and those of a hub that is gone from those of one that lives.
import { readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

export const ID_LABEL = "proctor.id";
const PID_LABEL = "proctor.hub-pid";
const START_LABEL = "proctor.hub-start";
const HOST_LABEL = "proctor.hub-host";

export function labelsFor(id: string): Record<string, string> {
  return {
    [ID_LABEL]: id,
    [PID_LABEL]: String(process.pid),
    [START_LABEL]: startOf(process.pid),
    [HOST_LABEL]: hostname(),
  };
}

/** Whether the process that made it is gone. What a process of another machine made is nobody's business here. */
export function isOrphan(labels: Readonly<Record<string, string>>): boolean {
  const { [ID_LABEL]: id, [PID_LABEL]: pid = "", [START_LABEL]: start = "", [HOST_LABEL]: host } = labels;
  return id !== undefined && host === hostname() && isGone(pid, start);
}

/** Of what belongs to one environment; below the provider's own. */
export function ownDirectory(stateDir: string, id: string): string {
  return join(stateDir, `${process.pid}.${startOf(process.pid)}.${id}`);
}

export async function removeOrphanDirectories(stateDir: string): Promise<void> {
  const names = await readdir(stateDir).catch(() => []);
  const orphans = names.filter((name) => {
    const [, pid, start] = /^(\d+)\.(\d*)\./.exec(name) ?? [];
    return pid !== undefined && start !== undefined && isGone(pid, start);
  });
  await Promise.all(orphans.map((name) => rm(join(stateDir, name), { recursive: true, force: true })));
}

/** A number is given again; a number and a time are not. */
function isGone(pid: string, start: string): boolean {
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return false;
  if (!isAlive(number)) return true;
  const now = startOf(number);
  return start !== "" && now !== "" && start !== now;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Ticks since this machine's start; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20)[19] ?? "";
  } catch {
    return "";
  }
}
