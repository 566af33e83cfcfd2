// podman keeps a process for each program that was started in a container, five minutes beyond its end, in case somebody asks how it ended.
// When the container is gone nobody will, and nothing of an environment may be left.
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { listPids } from "../../runtime/processes/proc.ts";
import { sendSignal } from "../../runtime/processes/signal.ts";

const PATIENCE_MS = 2000;

/** Call it only for a container that was removed, of an engine of this machine. */
export async function endMonitors(container: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const monitors = await monitorsOf(container);
    // A monitor that is gone, or that of a rootless engine of another user, is not signalled.
    for (const pid of monitors) sendSignal(pid, "SIGKILL");
    if (monitors.length === 0 || Date.now() > until) return;
    await pause(5);
  }
}

async function monitorsOf(container: string): Promise<number[]> {
  const pids = listPids();
  const own = await Promise.all(
    pids.map(async (pid) => {
      // The command line is empty for a process that has ended and waits for its parent.
      const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
      return (
        /(?:^|\/)conmon$/.test(words[0] ?? "") &&
        words[words.indexOf("-c") + 1] === container &&
        words.includes("--exec-attach")
      );
    }),
  );
  return pids.filter((_, index) => own[index]);
}
