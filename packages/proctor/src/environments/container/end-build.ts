// What a build started, when the build is given up: podman forgets a build whose client is gone, but not the program that it was running.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/**
 * One of the few arguments that every RUN sees as a variable without asking for it, and that engines leave out of the image and of the
 * key of a kept result. As a list of hosts that need no proxy, a name that nobody has means nothing.
 */
export const MARK_ARGUMENT = "NO_PROXY";

const PATIENCE_MS = 5000;
/** The engine may be about to start one. */
const CALM_MS = 300;

/** For an engine of this machine. Resolves when nothing with the mark has been running for a moment. */
export async function endBuild(mark: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  let calmSince = Date.now();
  while (Date.now() < until && Date.now() - calmSince < CALM_MS) {
    for (const pid of await marked(mark)) {
      calmSince = Date.now();
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await pause(20);
  }
}

async function marked(mark: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const wanted = `${MARK_ARGUMENT}=${mark}`;
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environ = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return environ.split("\0").includes(wanted);
    }),
  );
  return pids.filter((_, index) => found[index]);
}
