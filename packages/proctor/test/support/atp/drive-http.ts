// Drives an agent for a test and collects what the driver reports.
import type { AgentEnd, AgentReport, Job } from "../../../src/core/ports/driver.ts";
import type { AgentSpec } from "../../../src/core/agent.ts";
import { createHttpDriver } from "../../../src/protocols/atp/http/driver.ts";

export const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

export interface Driven {
  reports: AgentReport[];
  end: AgentEnd;
  /** Types of the agent's events, in order. */
  types: string[];
  /** Rules of its violations. */
  rules: string[];
  /** Texts of its log. */
  logs: string[];
}

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
  return gather(session, onReport);
}

export async function gather(
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
  };
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
