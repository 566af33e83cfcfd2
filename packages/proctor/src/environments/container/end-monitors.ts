// podman keeps a process for each program that was started in a container, five minutes beyond its end, in case somebody asks how it ended.
// When the container is gone nobody will, and nothing of an environment may be left.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 2000;

/** Only for a container that was removed, and an engine of this machine. */
export async function endMonitors(container: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const monitors = await monitorsOf(container);
    for (const pid of monitors) kill(pid);
    if (monitors.length === 0 || Date.now() > until) return;
    await pause(5);
  }
}

async function monitorsOf(container: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const own = await Promise.all(
    pids.map(async (pid) => {
      // Empty for one that has ended and waits for its parent.
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

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or it is somebody else's: a rootless engine of another user.
  }
}
