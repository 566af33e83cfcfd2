// The reports that the driver makes of its own: what departs from the API, and text that is no part of it.
import { describeIssues, type Issue } from "../../core/describe-issues.ts";
import type { Violation } from "../../core/event.ts";
import type { AgentReport } from "../../core/ports/driver.ts";

/** The most violations that are recorded for one message. */
const MAX_VIOLATIONS = 10;

export function violationReport(violation: Violation): AgentReport {
  return { kind: "event", event: { type: "violation", payload: violation } };
}

/** `value` is the message that the schema refused. */
export function schemaViolations(rule: string, issues: readonly Issue[], value: unknown): Violation[] {
  const root = rule.slice("openai.".length);
  return describeIssues(issues.slice(0, MAX_VIOLATIONS), value, root).map(({ path, message }) => ({
    rule,
    message,
    where: path === "" ? root : `${root}.${path}`,
  }));
}

export function logReport(text: string, droppedBytes = 0): AgentReport {
  const cut = droppedBytes > 0 ? { dropped_bytes: droppedBytes } : {};
  return { kind: "event", event: { type: "log", payload: { stream: "message", text, ...cut } } };
}
