// What departs from A2A in what an agent sent, as reports. The rules and their sections are in core/violation-owner.ts.
import type { Json } from "../../../core/json.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { violationReport } from "../../reports.ts";
import type { WireProblem } from "../codec.ts";

/** Reports something of an unknown kind, kept under its place. */
export function unknownReport(what: "part" | "event", payload: Json): AgentReport {
  return { kind: "event", event: { type: "unknown", payload: { event_type: `a2a.${what}`, payload } } };
}

/** Reports how a message departs from its version's document. */
export function problemReport({ path, message, section }: WireProblem): AgentReport {
  return violationReport({
    rule: "a2a.schema",
    message,
    where: path,
    ...(section !== undefined && { section }),
  });
}

export function ruleReport(rule: string, message: string, where: string): AgentReport {
  return violationReport({ rule, message, where });
}
