// Drives an agent over HTTP for a test and gathers what the driver reports.
import type { AgentReport, Job } from "../../../src/core/ports/driver.ts";
import type { AgentSpec } from "../../../src/core/agent.ts";
import { createHttpDriver } from "../../../src/protocols/atp/http/driver.ts";
import { gatherReports, type Driven } from "../gather-reports.ts";

export const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

export interface DriveOptions {
  spec?: Partial<AgentSpec>;
  ca?: string;
  connectTimeoutMs?: number;
  /** Aborted by the test to stop the agent. */
  cancel?: AbortSignal;
  kill?: AbortSignal;
  /** Called with each report, before the next is asked for. */
  onReport?: (report: AgentReport) => void | Promise<void>;
}

export function jobFor(url: string, spec: Partial<AgentSpec> = {}): Job {
  return {
    runId: TASK_ID,
    spec: { protocol: "atp", transport: new URL(url).protocol.slice(0, -1), url, ...spec },
    task: { description: "do it" },
    constraints: { timeout_seconds: 10 },
    context: {},
    metadata: {},
    traceId: TRACE_ID,
  };
}

export async function drive(url: string, options: DriveOptions = {}): Promise<Driven> {
  const { spec, cancel, kill, onReport, ...client } = options;
  const never = new AbortController().signal;
  const session = createHttpDriver(client).open(jobFor(url, spec), {
    cancel: cancel ?? never,
    kill: kill ?? never,
  });
  return gatherReports(session, onReport);
}

export function atpEvent(sequence: number, payload: object = { message: "working" }): object {
  return {
    version: "1.0",
    task_id: TASK_ID,
    timestamp: "2025-01-21T10:30:45.123Z",
    sequence,
    event_type: "progress",
    payload,
  };
}

export function atpResponse(extra: object = {}): object {
  return { version: "1.0", task_id: TASK_ID, status: "completed", artifacts: [], metrics: {}, ...extra };
}

/** A frame with a name. */
export function frame(name: string, message: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(message)}\n\n`;
}
