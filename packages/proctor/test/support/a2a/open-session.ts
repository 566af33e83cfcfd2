// A session of the A2A driver that a test watches and talks to.
import { randomUUID } from "node:crypto";
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { AgentEnd, AgentReport, AgentSession, Job } from "../../../src/core/ports/driver.ts";
import { createA2aDriver, type A2aDriverOptions } from "../../../src/protocols/a2a/driver.ts";
import { eventually } from "../eventually.ts";

export interface WatchedSession {
  session: AgentSession;
  reports: AgentReport[];
  cancel: () => void;
  kill: () => void;
  /** Resolves when the session is over. */
  done: Promise<void>;
  /** Resolves with the first report of this kind, once there is one. */
  heard<K extends AgentReport["kind"]>(kind: K): Promise<Extract<AgentReport, { kind: K }>>;
  all<K extends AgentReport["kind"]>(kind: K): Extract<AgentReport, { kind: K }>[];
  end(): Promise<AgentEnd>;
  rules(): string[];
  /** The texts of the agent's messages. */
  said(): string[];
  /** The files that chunks and artifacts make, by their names. */
  files(): Record<string, string>;
}

export function openSession(
  spec: AgentSpec,
  job: Partial<Job> = {},
  options: A2aDriverOptions = {},
): WatchedSession {
  const cancel = new AbortController();
  const kill = new AbortController();
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
  const session = createA2aDriver(options).open(whole, { cancel: cancel.signal, kill: kill.signal });
  const reports: AgentReport[] = [];
  const consume = async (): Promise<void> => {
    for await (const report of session) reports.push(report);
  };
  const done = consume();
  function all<K extends AgentReport["kind"]>(kind: K): Extract<AgentReport, { kind: K }>[] {
    return reports.filter((report): report is Extract<AgentReport, { kind: K }> => report.kind === kind);
  }
  return {
    session,
    reports,
    done,
    cancel: () => cancel.abort(),
    kill: () => kill.abort(),
    all,
    heard: (kind) =>
      eventually(() => {
        const [first] = all(kind);
        if (first === undefined) throw new Error(`no ${kind} so far`);
        return first;
      }),
    async end() {
      await done;
      const [last, ...more] = all("end");
      if (last === undefined || more.length > 0) throw new Error("a session ends once");
      return last.end;
    },
    rules: () =>
      all("event").flatMap(({ event }) => (event.type === "violation" ? [event.payload.rule] : [])),
    said: () =>
      all("message").map(({ message }) =>
        message.parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
      ),
    files: () => filesOf(reports),
  };
}

export function filesOf(reports: readonly AgentReport[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const report of reports) {
    if (report.kind === "chunk") {
      const before = report.append ? (files[report.name] ?? "") : "";
      files[report.name] = before + Buffer.from(report.content).toString();
    } else if (report.kind === "artifact" && report.artifact.type === "file") {
      files[report.artifact.path] = Buffer.from(report.artifact.content ?? []).toString();
    }
  }
  return files;
}
