// Document 003, "Tasks API": pause, resume and cancel; and start, for tasks that wait for it.
import type { Run } from "../../../../core/run.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteDescription } from "../../../../runtime/http/route.ts";
import { cancelTask } from "../shared/cancel-task.ts";
import { readFields } from "../shared/read-fields.ts";
import { idsOf, refusals } from "../shared/schemas.ts";
import { taskStatus } from "../shared/task-status.ts";
import type { Api } from "./context.ts";
import { ApiReason, ApiTaskState } from "./schemas.ts";
import { TASKS_TAG } from "./tasks.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";

/** Milliseconds to wait for a queued task so that it can be paused. */
const START_WAIT_MS = 5000;

export function controlRoutes(api: Api): Route[] {
  const { hub } = api;
  return [
    {
      ...describe("start", "Start a task"),
      description: "Of an agent, created with `start: false`. One that has begun stays as it is.",
      handle: async (call) => show(await hub.start(idsOf(call).task)),
    },
    {
      ...describe("pause", "Pause a task"),
      description: "No step begins until it is resumed; one that is running may end.",
      async handle(call) {
        const { task } = idsOf(call);
        // A task is shown as running from its creation on, so it can be paused from then on: once its agent has it.
        if ((await hub.run(task)).status === "queued") await started(api, task, call.request.signal);
        return show(await hub.pause(task));
      },
    },
    {
      ...describe("resume", "Resume a task"),
      description: "Goes on with a task that is paused.",
      handle: async (call) => show(await hub.resume(idsOf(call).task)),
    },
    {
      ...describe("cancel", "Cancel a task", {
        202: { description: "The agent has been told and has not stopped yet.", schema: ApiTaskState },
        ...refusals(400, 413, 415),
      }),
      description: "Stops the agent and fails the steps that are running; repeated, it changes nothing.",
      body: { schema: ApiReason, required: false, example: { reason: "no longer needed" } },
      async handle(call) {
        const { reason } = await readFields(call.request, ApiReason);
        const run = await cancelTask(api, idsOf(call).task, reason, call.request.signal);
        return show(run, run.status === "cancelled" ? 200 : 202);
      },
    },
  ];
}

function describe(verb: string, summary: string, more: RouteDescription["responses"] = {}): RouteDescription {
  return {
    id: `${verb}Task`,
    method: "POST",
    scope: "runs:write",
    path: `/api/tasks/{task_id}/${verb}`,
    tag: TASKS_TAG,
    summary,
    responses: {
      200: { description: "What it is now.", schema: ApiTaskState },
      ...more,
      ...refusals(404, 409),
    },
  };
}

function show(run: Run, status = 200): Response {
  return jsonResponse({ task_id: run.id, status: taskStatus(run.status) }, status);
}

/** Resolves even when the task does not start in time: the hub then says what can be done. */
function started({ log, stopping }: Api, task: string, client: AbortSignal): Promise<void> {
  return withinTime(AbortSignal.any([client, stopping]), START_WAIT_MS, async (signal) => {
    try {
      for await (const records of log.records(task, -1, signal)) {
        if (records.some(({ type }) => type === "run.started" || type === "run.ended")) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
}
