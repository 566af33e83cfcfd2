// Waits until a task has ended or needs its client: what a message that blocks is answered with. Specification 1.0, section 3.2.2.
import type { LogReader } from "../../../core/ports/log-reader.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { A2aError } from "../errors.ts";
import { isInterruptedState, isTerminalState } from "../states.ts";
import { withAttempts, type FoundTask } from "./find-task.ts";
import { stateOf } from "./task-state.ts";

interface AwaitDeps {
  hub: Pick<Hub, "run">;
  log: Pick<LogReader, "until">;
}

/** Rejects with UNAVAILABLE when the signal aborts first: the task goes on. */
export async function awaitTask(
  { hub, log }: AwaitDeps,
  task: FoundTask,
  signal: AbortSignal,
): Promise<FoundTask> {
  const rests = ({ last }: FoundTask): boolean => {
    const state = stateOf(last);
    return isTerminalState(state) || isInterruptedState(state);
  };
  let current = task;
  while (!rests(current)) {
    const { last } = current;
    try {
      current = await log.until(
        last.id,
        async () => {
          const now = await withAttempts(hub, await hub.run(task.id));
          // Another attempt has taken over, and its log is the one to watch.
          return rests(now) || now.last.id !== last.id ? now : undefined;
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new A2aError("UNAVAILABLE", `this server stops; task ${task.id} goes on, ask for it again`, {
        metadata: { taskId: task.id },
        retryAfterSeconds: 1,
      });
    }
  }
  return current;
}
