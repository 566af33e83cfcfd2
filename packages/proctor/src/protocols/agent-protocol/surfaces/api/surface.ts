// Document 003 on `/api`: a task is a run, and this only translates. Each resource has a file with its routes.
import { setMaxListeners } from "node:events";
import { serveRoutes } from "../../../../runtime/http/serve-routes.ts";
import type { Surface } from "../../../protocol.ts";
import { refuse } from "../../errors.ts";
import { ARTIFACTS_TAG, artifactRoutes } from "./artifacts.ts";
import { createApi, type ApiOptions } from "./context.ts";
import { eventRoutes } from "./events.ts";
import { STEPS_TAG, stepRoutes } from "./steps.ts";
import { controlRoutes } from "./task-control.ts";
import { TASKS_TAG, taskRoutes } from "./tasks.ts";

export function createApiSurface(options: ApiOptions): Surface {
  const stopping = new AbortController();
  // Every waiting client listens to it.
  setMaxListeners(0, stopping.signal);
  const api = createApi(options, stopping.signal);
  const served = serveRoutes({
    routes: [taskRoutes, controlRoutes, eventRoutes, stepRoutes, artifactRoutes].flatMap((of) => of(api)),
    tags: {
      [TASKS_TAG]:
        "Tasks, steps and artifacts over plain HTTP. A task is a run. The same events are told on the WebSocket `/ws`.",
      [STEPS_TAG]:
        "What a task consists of: added by the client that does the work, or read from what an agent reports.",
      [ARTIFACTS_TAG]:
        "Files of a step, or of a task as a whole: what it was given, and what its agent made.",
    },
    hint: "tasks are at /api/tasks",
    unbound: true,
    refuse,
  });
  return { path: "/api", ...served, close: () => stopping.abort() };
}
