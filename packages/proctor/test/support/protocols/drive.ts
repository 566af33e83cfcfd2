// Gives one task to an agent through its driver, and collects what is reported.
import { randomUUID } from "node:crypto";
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { AgentEnd, AgentReport, Job } from "../../../src/core/ports/driver.ts";
import type { DriverOptions } from "../../../src/protocols/protocol.ts";
import { createDriverLookup } from "../../../src/protocols/registry.ts";

export interface Driven {
  reports: AgentReport[];
  end: AgentEnd;
  /** The answer: what the artifact `result` has as its output. */
  output: Json | undefined;
  /** What was said while the agent answered. */
  said: string;
  /** The texts of log events, by their streams. */
  logs: Record<string, string>;
  rules: string[];
}

export async function drive(
  spec: AgentSpec,
  job: Partial<Job> = {},
  onReport: (report: AgentReport) => void = () => undefined,
  cancel: AbortSignal = new AbortController().signal,
  options: Partial<DriverOptions> = {},
): Promise<Driven> {
  const kill = new AbortController().signal;
  const drivers = createDriverLookup({ hubId: "drive", ...options });
  const whole: Job = {
    runId: randomUUID(),
    spec,
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0123456789abcdef0123456789abcdef",
    ...job,
  };
  const reports: AgentReport[] = [];
  for await (const report of drivers(spec).open(whole, { cancel, kill })) {
    reports.push(report);
    onReport(report);
  }
  return summarise(reports);
}

function summarise(reports: AgentReport[]): Driven {
  const [end, ...more] = reports.flatMap((report) => (report.kind === "end" ? [report.end] : []));
  if (end === undefined || more.length > 0) throw new Error("a session ends once");
  const results = reports.flatMap((report) =>
    report.kind === "artifact" && report.artifact.type === "structured" ? [report.artifact.data] : [],
  );
  const logs: Record<string, string> = {};
  for (const report of reports) {
    if (report.kind !== "event" || report.event.type !== "log") continue;
    const { stream, text } = report.event.payload;
    logs[stream] = logs[stream] === undefined ? text : `${logs[stream]}\n${text}`;
  }
  return {
    reports,
    end,
    output: (results.at(-1) as JsonObject | undefined)?.["output"],
    said: reports.map((report) => (report.kind === "text" ? report.text : "")).join(""),
    logs,
    rules: reports.flatMap((report) =>
      report.kind === "event" && report.event.type === "violation" ? [report.event.payload.rule] : [],
    ),
  };
}
