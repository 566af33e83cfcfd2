// The CPU time of the calling thread. Unlike wall time it does not grow while the machine is busy elsewhere.
import { readFileSync } from "node:fs";

/** Linux: nanoseconds on a CPU, nanoseconds waiting for one, time slices. A synchronous read is made by the thread itself. */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** Milliseconds that this thread has spent on a CPU. Where only the whole process is measured, the threads are added up. */
export function threadCpuMs(): number {
  return measure();
}

const measure = chooseMeasure();

function chooseMeasure(): () => number {
  // Node has it since 22.19 and 23.9; the types are those of Node 20.
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage) return () => inMs(threadCpuUsage.call(process));
  if (canRead(SCHEDSTAT)) return () => Number(readFileSync(SCHEDSTAT, "utf8").split(" ")[0]) / 1e6;
  return () => inMs(process.cpuUsage());
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function canRead(file: string): boolean {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]) > 0;
  } catch {
    return false;
  }
}
