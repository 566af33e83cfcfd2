// Signals to a process group. Asking is harmless: a group that is gone or not ours is an answer, never an exception.

/** Signal 0 only asks. True when there was somebody to signal. Windows has no groups: there it is the process alone. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals | 0): boolean {
  return signalPid(process.platform === "win32" ? leaderPid : -leaderPid, signal);
}

export function signalPid(pid: number, signal: NodeJS.Signals | 0): boolean {
  // To the kernel 0 is our own group and -1 everybody; nobody ever means them, or the first process.
  if (Math.abs(pid) <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
