// Conformance reports over HTTP: those of a hub elsewhere.
import type { ConformanceReport } from "../core/conformance-report.ts";
import type { ConformanceReports } from "../core/ports/conformance-reports.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";

export function createHttpConformanceReports(client: HttpClient): ConformanceReports {
  return {
    record: (agent, report) =>
      client.sendJson<ConformanceReport>(path`/agents/${agent}/conformance`, { method: "PUT", body: report }),
    async list(agent) {
      const { items } = await client.sendJson<{ items: ConformanceReport[] }>(
        path`/agents/${agent}/conformance`,
      );
      return items;
    },
  };
}
