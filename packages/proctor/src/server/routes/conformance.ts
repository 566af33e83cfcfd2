// The newest conformance reports of agents.
import type { ConformanceReport } from "../../core/conformance-report.ts";
import type { ConformanceReports } from "../../core/ports/conformance-reports.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { ConformanceReportDocument, ConformanceReportList } from "../schemas/conformance.ts";
import { BODY_REFUSALS } from "./refusals.ts";

const PATH = "/agents/{name}/conformance";
const NOT_FOUND = "There is no such agent.";

export function conformanceRoutes(reports: ConformanceReports, bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Agents" }, [
    {
      id: "getConformance",
      at: `GET ${PATH}`,
      scope: "agents:read",
      summary: "Read whether an agent keeps to its protocols",
      description: "The newest report of each protocol that `proctor conform` tried on it.",
      responses: {
        200: { description: "The reports, none where nobody tried.", schema: ConformanceReportList },
        404: NOT_FOUND,
      },
      async handle(call) {
        // A caller that may not see the agent does not see its reports either.
        const { name } = await call.hub.agent(pathParam(call, "name"));
        return jsonResponse({ items: await reports.list(name) });
      },
    },
    {
      id: "recordConformance",
      at: `PUT ${PATH}`,
      scope: "agents:write",
      summary: "Record whether an agent keeps to a protocol",
      description:
        "Takes the place of an earlier report of the same protocol. `proctor conform <name>` does it.",
      body: { schema: ConformanceReportDocument, required: true },
      responses: {
        200: { description: "The report as it is kept.", schema: ConformanceReportDocument },
        400: "The report is malformed; `details` name the fields.",
        404: NOT_FOUND,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { name } = await call.hub.agent(pathParam(call, "name"));
        const report = await readBody(call.request, ConformanceReportDocument, bodyLimitBytes);
        // The schema is ConformanceReport; JSON has no `undefined`, so no optional field holds one.
        return jsonResponse(await reports.record(name, report as ConformanceReport));
      },
    },
  ]);
}
