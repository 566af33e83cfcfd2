// The CPU time of a thread. Unlike wall time it does not grow while the machine is busy elsewhere.
import { readFileSync } from "node:fs";

/** Linux's file with nanoseconds on a CPU, nanoseconds waiting for one, time slices. A synchronous read is made by the thread itself. */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** Returns the milliseconds that this thread has spent on a CPU. Where only the whole process is measured, the threads are added up. */
export function threadCpuMs(): number {
  return measure();
}

/**
 * Returns the milliseconds that another thread of this process has spent on a CPU. Linux knows it by its number; where that is not known, the
 * whole process is measured. A thread that is gone has spent nothing.
 */
export function cpuMsOfThread(thread: number | undefined): number {
  if (thread === undefined) return inMs(process.cpuUsage());
  try {
    return inSchedstat(`/proc/self/task/${thread}/schedstat`);
  } catch {
    return 0;
  }
}

const measure = chooseMeasure();

function chooseMeasure(): () => number {
  // Node has it since 22.19 and 23.9; the types are those of Node 20.
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage) return () => inMs(threadCpuUsage.call(process));
  if (canRead(SCHEDSTAT)) return () => inSchedstat(SCHEDSTAT);
  return () => inMs(process.cpuUsage());
}

function inSchedstat(file: string): number {
  return Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function canRead(file: string): boolean {
  try {
    return inSchedstat(file) > 0;
  } catch {
    return false;
  }
}
