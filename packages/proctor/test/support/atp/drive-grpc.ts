// Drives an agent over gRPC for a test and gathers what the driver reports.
import type { AgentReport, Job } from "../../../src/core/ports/driver.ts";
import { createGrpcDriver, type GrpcDriverOptions } from "../../../src/protocols/atp/grpc/driver.ts";
import { gatherReports, type Driven } from "../gather-reports.ts";

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

export async function drive(url: string, options: DriveOptions = {}): Promise<Driven> {
  const { spec, job, driver, cancel, kill, onReport } = options;
  const signals = { ...never(), ...(cancel && { cancel }), ...(kill && { kill }) };
  const session = createGrpcDriver(driver).open({ ...jobFor(url, spec), ...job }, signals);
  return gatherReports(session, onReport);
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
