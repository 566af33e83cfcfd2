// The processes that carry out runs.
import type { Workers } from "../../core/ports/workers.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import type { Route } from "../route.ts";
import { WorkerDocument, WorkerList } from "../schemas/worker.ts";

const NOT_FOUND = { description: "There is no such worker." };
const TAG = "Workers";

export function workerRoutes(workers: Workers): Route[] {
  return [
    {
      id: "listWorkers",
      method: "GET",
      path: "/workers",
      scope: "workers",
      unbound: true,
      tag: TAG,
      summary: "List workers",
      description: "All that were heard of within an hour, the one seen last first.",
      responses: { 200: { description: "The workers.", schema: WorkerList } },
      handle: async () => jsonResponse(await workers.list()),
    },
    {
      id: "getWorker",
      method: "GET",
      path: "/workers/{id}",
      scope: "workers",
      unbound: true,
      tag: TAG,
      summary: "Read a worker",
      responses: { 200: { description: "The worker.", schema: WorkerDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await workers.get(pathParam(call, "id"))),
    },
    {
      id: "drainWorker",
      method: "POST",
      path: "/workers/{id}/drain",
      scope: "admin",
      unbound: true,
      tag: TAG,
      summary: "Drain a worker",
      description: "It takes no more runs, and ends when those in flight have.",
      responses: { 200: { description: "The worker.", schema: WorkerDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await workers.drain(pathParam(call, "id"), call.caller)),
    },
  ];
}
