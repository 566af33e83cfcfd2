// The processes that carry out runs.
import type { Workers } from "../../core/ports/workers.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import { routesOf, type Route } from "../route.ts";
import { WorkerDocument, WorkerList } from "../schemas/worker.ts";

const NOT_FOUND = "There is no such worker.";
const TAG = "Workers";

export function workerRoutes(workers: Workers): Route[] {
  return routesOf({ tag: TAG, unbound: true }, [
    {
      id: "listWorkers",
      at: "GET /workers",
      scope: "workers",
      summary: "List workers",
      description: "All that were heard of within an hour, the one seen last first.",
      responses: { 200: { description: "The workers.", schema: WorkerList } },
      handle: async () => jsonResponse(await workers.list()),
    },
    {
      id: "getWorker",
      at: "GET /workers/{id}",
      scope: "workers",
      summary: "Read a worker",
      responses: { 200: { description: "The worker.", schema: WorkerDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await workers.get(pathParam(call, "id"))),
    },
    {
      id: "drainWorker",
      at: "POST /workers/{id}/drain",
      scope: "admin",
      summary: "Drain a worker",
      description: "It takes no more runs, and ends when those in flight have.",
      responses: { 200: { description: "The worker.", schema: WorkerDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await workers.drain(pathParam(call, "id"), call.caller)),
    },
  ]);
}
