// The doubles of a hub elsewhere, over its neutral API.
import type { Double, DoubleRequest } from "../core/double.ts";
import type { Page } from "../core/page.ts";
import type { AnnouncedDouble, Doubles } from "../core/ports/doubles.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";

export function createHttpDoubles(client: HttpClient): Doubles {
  return {
    announce: (body) => client.sendJson<AnnouncedDouble>("/doubles", { method: "POST", body }),
    record: (id, requests) =>
      client.sendJson<Double>(path`/doubles/${id}/requests`, { method: "POST", body: { requests } }),
    end: (id) => client.sendJson<Double>(path`/doubles/${id}/end`, { method: "POST", body: {} }),
    list: () => client.sendJson<{ items: Double[]; next_cursor: null }>("/doubles"),
    get: (id) => client.sendJson<Double>(path`/doubles/${id}`),
    requests(id, { cursor, limit, text, unmatched }) {
      const asked = query({ cursor, limit, text, ...(unmatched === true && { unmatched: "true" }) });
      return client.sendJson<Page<DoubleRequest>>(path`/doubles/${id}/requests` + asked);
    },
  };
}
