// Drives an agent over gRPC for a test and collects what the driver reports.
import type { AgentEnd, AgentReport, Job } from "../../../src/core/ports/driver.ts";
import { createGrpcDriver, type GrpcDriverOptions } from "../../../src/protocols/atp/grpc/driver.ts";

export const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

export interface DriveOptions {
  spec?: Partial<Job["spec"]>;
  job?: Partial<Job>;
  driver?: GrpcDriverOptions;
  /** Aborted by the test to stop the agent. */
  cancel?: AbortSignal;
  kill?: AbortSignal;
  onReport?: (report: AgentReport) => void;
}

export interface Driven {
  reports: AgentReport[];
  end: AgentEnd;
  /** Types of the agent's events, in order. */
  types: string[];
  /** Rules of its violations. */
  rules: string[];
}

export async function drive(url: string, options: DriveOptions = {}): Promise<Driven> {
  const { spec, job, driver, cancel, kill, onReport } = options;
  const signals = { ...never(), ...(cancel && { cancel }), ...(kill && { kill }) };
  const reports: AgentReport[] = [];
  for await (const report of createGrpcDriver(driver).open({ ...jobFor(url, spec), ...job }, signals)) {
    reports.push(report);
    onReport?.(report);
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
    rules: events.flatMap((entry) => (entry.type === "violation" ? [entry.payload.rule] : [])),
  };
}

export function jobFor(url: string, spec: Partial<Job["spec"]> = {}): Job {
  return {
    runId: TASK_ID,
    spec: { protocol: "atp", transport: "grpc", url, ...spec },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: TRACE_ID,
  };
}

export function never(): { cancel: AbortSignal; kill: AbortSignal } {
  return { cancel: new AbortController().signal, kill: new AbortController().signal };
}
