// The processes of this machine, with their parents and start times: from /proc on Linux, from `ps` elsewhere.
import { execFile } from "node:child_process";
import { uptime } from "node:os";
import { listPids, readStat } from "./proc.ts";

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** Id of the session; of the group on systems other than Linux. */
  session: number;
  /** When the process was started, in epoch milliseconds; up to `RESOLUTION_MS` too early. */
  startedAt: number;
  /** Whether the process has ended and waits for its parent to notice. */
  ended: boolean;
}

/** Resolution of start times in milliseconds: the kernel counts hundredths of a second, `ps` seconds. */
export const RESOLUTION_MS = process.platform === "linux" ? 10 : 1000;

export async function listProcesses(): Promise<ProcessRow[]> {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc(): ProcessRow[] {
  const bootedAt = bootTime();
  return listPids().flatMap((pid) => {
    const stat = readStat(pid);
    if (stat === undefined) return [];
    const { startTime, ...row } = stat;
    return [{ pid, ...row, startedAt: bootedAt + Number(startTime) * RESOLUTION_MS }];
  });
}

let earliestBoot = Number.POSITIVE_INFINITY;

/**
 * The uptime is cut to hundredths of a second, so each reading gives a time up to that much too late; the earliest is the best. A clock
 * that was set counts as another boot.
 */
function bootTime(): number {
  let before = Date.now();
  let upMs = uptime() * 1000;
  // Both clocks are read at one moment: if we lost the CPU between them, the machine would seem older than it is.
  for (let after = Date.now(); after > before + 1; after = Date.now()) {
    before = after;
    upMs = uptime() * 1000;
  }
  const now = before - upMs;
  if (Math.abs(now - earliestBoot) > 100) earliestBoot = now;
  else earliestBoot = Math.min(earliestBoot, now);
  return earliestBoot;
}

function fromPs(): Promise<ProcessRow[]> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], LC_ALL: "C" };
    execFile(
      "ps",
      ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="],
      { env, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout) => resolve(error === null ? stdout.split("\n").flatMap(parsePs) : []),
    );
  });
}

function parsePs(line: string): ProcessRow[] {
  const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
  if (found === null) return [];
  const [, pid, parent, group, state = "", started = ""] = found;
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      startedAt: Date.parse(started),
      ended: state.startsWith("Z"),
    },
  ];
}
