// The newest conformance reports of the agents that a hub knows by name. In this process (agents/), and over HTTP (hub/).
import type { ConformanceReport } from "../conformance-report.ts";

export interface ConformanceReports {
  /** Replaces an earlier report of the same protocol. Throws AGENT_NOT_FOUND. */
  record(agent: string, report: ConformanceReport): Promise<ConformanceReport>;
  /** Lists one report for each protocol that was tried, by its name. Throws AGENT_NOT_FOUND. */
  list(agent: string): Promise<ConformanceReport[]>;
}
