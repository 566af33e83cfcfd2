// Finds the runs behind a task: a task is its first attempt and those that took over by the retry policy, and belongs to one agent.
import { ProctorError } from "../../../core/errors.ts";
import type { Message } from "../../../core/message.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { A2aError } from "../errors.ts";

export interface FoundTask {
  id: string;
  /** All attempts, in order. */
  runs: readonly [Run, ...Run[]];
  /** The newest attempt. */
  last: Run;
  /** The message of a task that has just begun: its log need not be read. */
  said?: Message;
}

/** Throws TASK_NOT_FOUND, even for tasks of other agents: clients of this agent must not learn whether they exist. */
export async function findTask(hub: Pick<Hub, "run">, agent: string, taskId: string): Promise<FoundTask> {
  const first = await existing(hub, taskId);
  if (first === undefined || first.agent !== agent || first.retry_of !== null) throw taskNotFound(taskId);
  return withAttempts(hub, first);
}

export async function withAttempts(hub: Pick<Hub, "run">, first: Run): Promise<FoundTask> {
  const runs: [Run, ...Run[]] = [first];
  let last = first;
  while (last.retried_as !== null) {
    const next = await existing(hub, last.retried_as);
    // It was removed meanwhile.
    if (next === undefined) break;
    runs.push(next);
    last = next;
  }
  return { id: first.id, runs, last };
}

function taskNotFound(taskId: string): A2aError {
  const shown = taskId.length > 100 ? `${taskId.slice(0, 100)}…` : taskId;
  return new A2aError("TASK_NOT_FOUND", `task ${shown} not found: this agent has none of that id`, {
    metadata: { taskId: shown },
  });
}

async function existing(hub: Pick<Hub, "run">, id: string): Promise<Run | undefined> {
  try {
    return await hub.run(id);
  } catch (error) {
    if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
    throw error;
  }
}
