// podman keeps a process for each program that was started in a container, five minutes beyond its end, in case somebody asks how it ended.
// When the container is gone nobody will, and nothing of an environment may be left.
import { killUntilGone } from "../../runtime/processes/kill-until-gone.ts";
import { listPids, readCommandLine } from "../../runtime/processes/proc.ts";

/** Call it only for a container that was removed, of an engine of this machine. A monitor of another user's engine is not ours to end. */
export async function endMonitors(container: string): Promise<void> {
  await killUntilGone(() => ({ pids: monitorsOf(container), unsettled: false }));
}

function monitorsOf(container: string): number[] {
  return listPids().filter((pid) => {
    // Empty for a process that has ended and waits for its parent.
    const words = readCommandLine(pid);
    return (
      /(?:^|\/)conmon$/.test(words[0] ?? "") &&
      words[words.indexOf("-c") + 1] === container &&
      words.includes("--exec-attach")
    );
  });
}
