// Ends what a build started when the build is given up: podman forgets a build whose client is gone, but not the program that it was
// running.
import { setTimeout as pause } from "node:timers/promises";
import { sendSignal } from "../../runtime/processes/signal.ts";
import { findMarked } from "../../runtime/processes/strays.ts";

/**
 * One of the few arguments that every RUN sees as a variable without asking for it, and that engines leave out of the image and of the
 * key of a kept result. As a list of hosts that need no proxy, a name that nobody has means nothing.
 */
export const MARK_ARGUMENT = "NO_PROXY";

const PATIENCE_MS = 15_000;
/** Milliseconds without a marked process after which the engine is assumed to start no other one. */
const CALM_MS = 1500;

/** Works for an engine of this machine only. Resolves when nothing with the mark has been running for a moment. */
export async function endBuild(mark: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  let calmSince = Date.now();
  while (Date.now() < until && Date.now() - calmSince < CALM_MS) {
    for (const pid of findMarked(MARK_ARGUMENT, mark)) {
      calmSince = Date.now();
      sendSignal(pid, "SIGKILL");
    }
    await pause(20);
  }
}
