// Signals to processes and process groups. A process that is gone or belongs to another user gives an answer, never an exception.
import { constants } from "node:os";

/** Returns true when there was a process to signal. A negative number stands for a group; signal 0 only asks. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  // To the kernel 0 is our own group and -1 every process; no caller ever means these, or the first process.
  if (!Number.isInteger(pid) || Math.abs(pid) <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Signals a process group; on Windows, which has none, the process alone. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return sendSignal(process.platform === "win32" ? leader : -leader, signal);
}

/** Returns the exit code that a shell would report for the end of a program. */
export function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
}
