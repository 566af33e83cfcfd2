// podman keeps a process for each program that was started in a container, five minutes beyond its end, in case somebody asks how it ended.
// When the container is gone nobody will, and nothing of an environment may be left.
import { setTimeout as pause } from "node:timers/promises";
import { killUntilGone } from "../../runtime/processes/kill-until-gone.ts";
import { listPids, readCommandLine, readStat } from "../../runtime/processes/proc.ts";

const PATIENCE_MS = 10_000;

/** Ends the monitors of a removed container of an engine on this machine. Those of another user's engine cannot be ended. */
export async function endMonitors(container: string): Promise<void> {
  let monitors: ReturnType<typeof monitorsOf> = [];
  await killUntilGone(() => {
    monitors = monitorsOf(container);
    return { pids: monitors.filter(({ ofProgram }) => ofProgram).map(({ pid }) => pid), unsettled: false };
  });
  // The monitor of the container itself ends after it has reported to the engine.
  const until = Date.now() + PATIENCE_MS;
  for (const { pid } of monitors) while (isThere(pid) && Date.now() < until) await pause(5);
}

function monitorsOf(container: string): { pid: number; ofProgram: boolean }[] {
  return listPids().flatMap((pid) => {
    // The command line of a zombie is empty.
    const words = readCommandLine(pid);
    const isMonitor = /(?:^|\/)conmon$/.test(words[0] ?? "") && words[words.indexOf("-c") + 1] === container;
    return isMonitor ? [{ pid, ofProgram: words.includes("--exec-attach") }] : [];
  });
}

function isThere(pid: number): boolean {
  return readStat(pid)?.ended === false;
}
