// The doubles of a hub elsewhere, over its neutral API.
import type { Double, DoubleRequest } from "../core/double.ts";
import type { Page } from "../core/page.ts";
import type { AnnouncedDouble, Doubles } from "../core/ports/doubles.ts";
import type { HttpClient } from "./http-client.ts";

export function createHttpDoubles(client: HttpClient): Doubles {
  const pathOf = (id: string, rest = ""): string => `/doubles/${encodeURIComponent(id)}${rest}`;
  return {
    announce: (body) => client.sendJson<AnnouncedDouble>("/doubles", { method: "POST", body }),
    record: (id, requests) =>
      client.sendJson<Double>(pathOf(id, "/requests"), { method: "POST", body: { requests } }),
    end: (id) => client.sendJson<Double>(pathOf(id, "/end"), { method: "POST", body: {} }),
    list: () => client.sendJson<{ items: Double[]; next_cursor: null }>("/doubles"),
    get: (id) => client.sendJson<Double>(pathOf(id)),
    requests(id, { cursor, limit, unmatched, text }) {
      const query = new URLSearchParams({
        ...(cursor !== undefined && { cursor }),
        ...(limit !== undefined && { limit: String(limit) }),
        ...(unmatched === true && { unmatched: "true" }),
        ...(text !== undefined && { text }),
      });
      return client.sendJson<Page<DoubleRequest>>(pathOf(id, `/requests?${query.toString()}`));
    },
  };
}
