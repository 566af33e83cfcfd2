// Drives a model for a test and collects what the driver reports.
import { uuidV7 } from "../../../src/core/id.ts";
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { AgentEventPayloads } from "../../../src/core/event.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { AgentEnd, AgentReport, AgentSession, Job } from "../../../src/core/ports/driver.ts";
import type { Answer } from "../../../src/core/question.ts";
import { createOpenaiDriver, type OpenaiDriverOptions } from "../../../src/protocols/openai/driver.ts";

/** Its own in every process: programs are found, and ended, by it. */
export const RUN_ID = uuidV7();
export const KEY = "sk-test-51Hq9XyZabcdefGHIJ";

export interface DrivenModel {
  reports: AgentReport[];
  end: AgentEnd;
  /** The kinds of the reports, events by their types. */
  kinds: string[];
  /** The messages, each as its pieces. */
  said: string[][];
  /** The answer, if the run has one. */
  result: unknown;
  rules: string[];
  logs: string[];
  toolCalls: AgentEventPayloads["tool_call"][];
  requests: AgentEventPayloads["llm_request"][];
  errors: AgentEventPayloads["error"][];
}

export interface DriveModelOptions {
  job?: Partial<Job>;
  spec?: Partial<AgentSpec>;
  driver?: OpenaiDriverOptions;
  clock?: Clock;
  cancel?: AbortSignal;
  kill?: AbortSignal;
  onReport?: (report: AgentReport, session: AgentSession) => void | Promise<void>;
}

export function jobFor(base: string, { job, spec }: DriveModelOptions = {}): Job {
  return {
    runId: RUN_ID,
    spec: {
      protocol: "openai",
      transport: "http",
      url: `${base}#gpt-test`,
      headers: { Authorization: `Bearer ${KEY}` },
      ...spec,
    },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0af7651916cd43dd8448eb211c80319c",
    ...job,
  };
}

export async function driveModel(base: string, options: DriveModelOptions = {}): Promise<DrivenModel> {
  const never = new AbortController().signal;
  const { cancel = never, kill = never, clock, onReport } = options;
  const driver = createOpenaiDriver({ ...options.driver, ...(clock && { clock }) });
  const session = driver.open(jobFor(base, options), { cancel, kill });
  const reports: AgentReport[] = [];
  for await (const report of session) {
    reports.push(report);
    await onReport?.(report, session);
  }
  return described(reports);
}

export function given(text: string): Answer {
  return { id: "a1", by: { kind: "client" }, outcome: "given", parts: [{ kind: "text", text }] };
}

export function described(reports: AgentReport[]): DrivenModel {
  const last = reports.at(-1);
  if (last?.kind !== "end" || reports.filter(({ kind }) => kind === "end").length !== 1) {
    throw new Error("a session ends with exactly one end");
  }
  const events = reports.flatMap((report) => (report.kind === "event" ? [report.event] : []));
  const messages = new Map<string, string[]>();
  for (const report of reports) {
    if (report.kind !== "text") continue;
    messages.set(report.messageId, [...(messages.get(report.messageId) ?? []), report.text]);
  }
  const result = reports.flatMap((report) =>
    report.kind === "artifact" && report.artifact.type === "structured" ? [report.artifact.data] : [],
  );
  return {
    reports,
    end: last.end,
    kinds: reports.map((report) => (report.kind === "event" ? report.event.type : report.kind)),
    said: [...messages.values()],
    result: result[0],
    rules: events.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : [])),
    logs: events.flatMap((event) => (event.type === "log" ? [event.payload.text] : [])),
    toolCalls: events.flatMap((event) => (event.type === "tool_call" ? [event.payload] : [])),
    requests: events.flatMap((event) => (event.type === "llm_request" ? [event.payload] : [])),
    errors: events.flatMap((event) => (event.type === "error" ? [event.payload] : [])),
  };
}
