// The two things a driver reports of its own: what departs from the protocol, and text that is no part of it.
import type { Violation } from "../core/event.ts";
import type { AgentReport } from "../core/ports/driver.ts";

export function violationReport(violation: Violation): AgentReport {
  return { kind: "event", event: { type: "violation", payload: violation } };
}

/** Text that came over a connection. */
export function logReport(text: string, droppedBytes = 0): AgentReport {
  const cut = droppedBytes > 0 ? { dropped_bytes: droppedBytes } : {};
  return { kind: "event", event: { type: "log", payload: { stream: "message", text, ...cut } } };
}

/** Reports a remark of the driver itself about the run. */
export function noteReport(text: string): AgentReport {
  return { kind: "event", event: { type: "log", payload: { stream: "platform", text } } };
}
