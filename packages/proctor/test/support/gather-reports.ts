// Reads a driver's session to its end and sorts what it reported.
import type { AgentEnd, AgentReport, ReceivedArtifact } from "../../src/core/ports/driver.ts";

export interface Driven {
  reports: AgentReport[];
  end: AgentEnd;
  /** Types of the agent's events, in order. */
  types: string[];
  /** Rules of its violations. */
  rules: string[];
  /** Texts of its log. */
  logs: string[];
  artifacts: ReceivedArtifact[];
  /** Payloads of one kind of event. */
  payloads: (type: string) => unknown[];
}

/** `onReport` is called with each report, before the next is asked for. */
export async function gatherReports(
  session: AsyncIterable<AgentReport>,
  onReport?: (report: AgentReport) => void | Promise<void>,
): Promise<Driven> {
  const reports: AgentReport[] = [];
  for await (const report of session) {
    reports.push(report);
    await onReport?.(report);
  }
  const last = reports.at(-1);
  if (last?.kind !== "end" || reports.filter(({ kind }) => kind === "end").length !== 1) {
    throw new Error("a session ends with exactly one end");
  }
  const events = reports.flatMap((report) => (report.kind === "event" ? [report.event] : []));
  return {
    reports,
    end: last.end,
    types: events.map(({ type }) => type),
    rules: events.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : [])),
    logs: events.flatMap((event) => (event.type === "log" ? [event.payload.text] : [])),
    artifacts: reports.flatMap((report) => (report.kind === "artifact" ? [report.artifact] : [])),
    payloads: (type) => events.filter((event) => event.type === type).map(({ payload }) => payload),
  };
}
