// Cancels a task: specification 1.0, section 3.1.5. The answer comes when its agent has stopped, so that it is true.
import { ProctorError } from "../../../core/errors.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { LogReader } from "../../../core/ports/log-reader.ts";
import { isTerminal } from "../../../core/run.ts";
import { A2aError } from "../errors.ts";
import type { FoundTask } from "./find-task.ts";
import { stateOf } from "./task-state.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";

interface CancelDeps {
  hub: Pick<Hub, "cancel">;
  log: Pick<LogReader, "ended">;
}

/** Milliseconds to wait for an agent that was told to stop: longer than any grace it gets. */
const STOP_WAIT_MS = 30_000;

/** Throws TASK_NOT_CANCELABLE for a task that has ended, even meanwhile and in another way. */
export async function cancelTask(
  { hub, log }: CancelDeps,
  { id, last }: FoundTask,
  client: AbortSignal,
): Promise<void> {
  if (isTerminal(last.status)) throw notCancelable(id, stateOf(last));
  await withinTime(client, STOP_WAIT_MS, async (signal) => {
    try {
      const asked = await hub.cancel(last.id, "cancelled by a client of A2A");
      const ended = isTerminal(asked.status) ? asked : await log.ended(last.id, signal);
      if (ended.status !== "cancelled") throw notCancelable(id, stateOf(ended));
    } catch (error) {
      // Its agent is slow: the client gets the task in its present state.
      if (signal.aborted) return;
      const ended = ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION";
      throw ended ? notCancelable(id, "an end of its own") : error;
    }
  });
}

function notCancelable(taskId: string, state: string): A2aError {
  return new A2aError("TASK_NOT_CANCELABLE", `task ${taskId} has come to ${state}: it cannot be cancelled`, {
    metadata: { taskId },
  });
}
