// The workers of a hub elsewhere, over its neutral API.
import type { Workers } from "../core/ports/workers.ts";
import type { Worker } from "../core/worker.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";

export function createHttpWorkers(client: HttpClient): Workers {
  return {
    list: () => client.sendJson<{ items: Worker[]; next_cursor: null }>("/workers"),
    get: (id) => client.sendJson<Worker>(path`/workers/${id}`),
    drain: (id) => client.sendJson<Worker>(path`/workers/${id}/drain`, { method: "POST", body: {} }),
  };
}
