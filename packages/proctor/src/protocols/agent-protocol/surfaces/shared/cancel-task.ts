// Cancels a task. The answer comes when its agent has stopped, so that it is true.
import { ProctorError } from "../../../../core/errors.ts";
import { isTerminal, type Run } from "../../../../core/run.ts";
import type { SurfaceOptions } from "../../../protocol.ts";
import { taskStatus } from "./task-status.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";

/** Milliseconds to wait for an agent that was told to stop: longer than any grace it gets. */
const STOP_WAIT_MS = 30_000;

interface CancelDeps extends Pick<SurfaceOptions, "hub" | "log"> {
  stopping: AbortSignal;
}

/** Returns the cancelled task, or its present state when its agent takes too long. Throws ILLEGAL_TRANSITION for a task that ended otherwise. */
export async function cancelTask(
  { hub, log, stopping }: CancelDeps,
  task: string,
  reason: string | null | undefined,
  client: AbortSignal,
): Promise<Run> {
  const asked = await hub.cancel(task, reason || "cancelled through the task API");
  const run = isTerminal(asked.status) ? asked : await stopped(asked);
  if (!isTerminal(run.status) || run.status === "cancelled") return run;
  const status = taskStatus(run.status);
  throw new ProctorError("ILLEGAL_TRANSITION", `task ${task} is ${status}: it cannot be cancelled`, {
    details: { task_id: task, status },
  });

  function stopped(before: Run): Promise<Run> {
    return withinTime(AbortSignal.any([client, stopping]), STOP_WAIT_MS, async (signal) => {
      try {
        return await log.ended(task, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return before;
      }
    });
  }
}
