// Document 003, "Tasks API": pause, resume and cancel.
import { ProctorError } from "../../../core/errors.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import { taskStatus } from "../shared/task-status.ts";
import { json } from "./respond.ts";
import type { Api, Handler } from "./setting.ts";

/** How long an agent that was told to stop is waited for: longer than any grace it gets. */
const STOP_WAIT_MS = 30_000;

/** How long a task that waits for its turn is waited for, so that it can be paused. */
const START_WAIT_MS = 5000;

/** A task is shown as running from its creation on, so it can be paused from then on: once its agent has it. */
export const pauseTask: Handler = async (api, { task, request }) => {
  const run = await api.hub.run(task);
  if (run.status === "queued") await started(api, task, request.signal);
  return control(await api.hub.pause(task));
};

export const resumeTask: Handler = async ({ hub }, { task }) => control(await hub.resume(task));

/** Answers when the agent has stopped, so that what it says is so. */
export const cancelTask: Handler = async (api, { task, request }) => {
  const asked = await api.hub.cancel(task, "cancelled through the task API");
  const run = isTerminal(asked.status) ? asked : await stopped(api, asked, request.signal);
  if (!isTerminal(run.status)) return control(run, 202);
  if (run.status === "cancelled") return control(run);
  throw new ProctorError(
    "ILLEGAL_TRANSITION",
    `task ${task} is ${taskStatus(run.status)}: it cannot be cancelled`,
    {
      details: { task_id: task, status: taskStatus(run.status) },
    },
  );
};

function control(run: Run, status = 200): Response {
  return json({ task_id: run.id, status: taskStatus(run.status) }, status);
}

/** The run when it has ended, or as it was when waiting for that was given up. */
async function stopped({ ended, stopping }: Api, run: Run, client: AbortSignal): Promise<Run> {
  const signal = AbortSignal.any([client, stopping, AbortSignal.timeout(STOP_WAIT_MS)]);
  try {
    return await ended(run.id, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return run;
  }
}

/** Resolves as well when it does not start in time: what can be done then is said by the hub. */
async function started({ follow, stopping }: Api, task: string, client: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([client, stopping, AbortSignal.timeout(START_WAIT_MS)]);
  try {
    for await (const records of follow(task, -1, signal)) {
      if (records.some(({ type }) => type === "run.started" || type === "run.ended")) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
