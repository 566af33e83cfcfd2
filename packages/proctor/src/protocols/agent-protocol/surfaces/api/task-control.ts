// Document 003, "Tasks API": pause, resume and cancel; and start, for tasks that wait for it.
import type { Run } from "../../../../core/run.ts";
import { cancelTask as cancel, readReason } from "../shared/cancel-task.ts";
import { readBody } from "../shared/read-body.ts";
import { taskStatus } from "../shared/task-status.ts";
import { json } from "./respond.ts";
import type { Api, Handler } from "./context.ts";

/** How long a task that waits for its turn is waited for, so that it can be paused. */
const START_WAIT_MS = 5000;

/** A task is shown as running from its creation on, so it can be paused from then on: once its agent has it. */
export const pauseTask: Handler = async (api, { task, request }) => {
  const run = await api.hub.run(task);
  if (run.status === "queued") await started(api, task, request.signal);
  return control(await api.hub.pause(task));
};

/** Of a task that was created with `start: false`; a no-op for one that has begun. */
export const startTask: Handler = async ({ hub }, { task }) => control(await hub.start(task));

export const resumeTask: Handler = async ({ hub }, { task }) => control(await hub.resume(task));

export const cancelTask: Handler = async (api, { task, request }) => {
  const reason = readReason(await readBody(request));
  const run = await cancel(api, task, reason, request.signal);
  return control(run, run.status === "cancelled" ? 200 : 202);
};

function control(run: Run, status = 200): Response {
  return json({ task_id: run.id, status: taskStatus(run.status) }, status);
}

/** Resolves as well when it does not start in time: what can be done then is said by the hub. */
async function started({ log, stopping }: Api, task: string, client: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([client, stopping, AbortSignal.timeout(START_WAIT_MS)]);
  try {
    for await (const records of log.records(task, -1, signal)) {
      if (records.some(({ type }) => type === "run.started" || type === "run.ended")) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
