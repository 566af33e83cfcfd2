// An agent on a real WebSocket that does what a test says, and a way to drive it.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type ServerOptions, type WebSocket } from "ws";
import type { AgentDriver, AgentEnd, AgentReport, Job } from "../../../src/core/ports/driver.ts";

export interface AgentDouble {
  url: string;
  /** All connections so far. */
  sockets: WebSocket[];
  /** Number of sockets that are open. */
  open(): number;
  /** The frames that came, parsed. */
  frames: Record<string, unknown>[];
  close(): Promise<void>;
}

export type OnFrame = (frame: Record<string, unknown>, ws: WebSocket) => void;

export async function startAgent(onFrame: OnFrame, options: ServerOptions = {}): Promise<AgentDouble> {
  const http = createServer();
  const server = new WebSocketServer({ server: http, handleProtocols: () => "atp.v1", ...options });
  const raws = new Set<Socket>();
  const agent: AgentDouble = {
    url: "",
    sockets: [],
    frames: [],
    open: () => agent.sockets.filter((ws) => ws.readyState === ws.OPEN).length,
    async close() {
      for (const raw of raws) raw.destroy();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  http.on("connection", (raw) => raws.add(raw));
  server.on("connection", (ws) => {
    agent.sockets.push(ws);
    ws.on("error", () => {});
    ws.on("message", (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Record<string, unknown>;
      agent.frames.push(frame);
      onFrame(frame, ws);
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  agent.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/agent`;
  return agent;
}

export const event = (taskId: unknown, sequence: number, payload: object = {}): string =>
  JSON.stringify({
    version: "1.0",
    task_id: taskId,
    timestamp: new Date().toISOString(),
    sequence,
    event_type: "progress",
    payload,
  });

export const response = (taskId: unknown, status = "completed"): string =>
  JSON.stringify({ version: "1.0", task_id: taskId, status, artifacts: [], metrics: {} });

export function newJob(url: string, headers?: Record<string, string>): Job {
  return {
    runId: randomUUID(),
    spec: { protocol: "atp", transport: "ws", url, ...(headers && { headers }) },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0".repeat(32),
  };
}

export interface Drive {
  job: Job;
  cancel(): void;
  kill(): void;
  /** Reads the reports of a run that was held. */
  release: () => void;
  reports: AgentReport[];
  done: Promise<AgentEnd>;
}

/** A held one does not read its reports until it is released. */
export function drive(driver: AgentDriver, job: Job, options: { held?: boolean } = {}): Drive {
  const cancel = new AbortController();
  const kill = new AbortController();
  const reports: AgentReport[] = [];
  let release = (): void => {};
  const gate = options.held === true ? new Promise<void>((resolve) => (release = resolve)) : undefined;
  async function perform(): Promise<AgentEnd> {
    let end: AgentEnd | undefined;
    for await (const report of driver.open(job, { cancel: cancel.signal, kill: kill.signal })) {
      await gate;
      reports.push(report);
      if (end) throw new Error("a report after the end");
      if (report.kind === "end") end = report.end;
    }
    if (!end) throw new Error("no end");
    return end;
  }
  return { job, reports, release, cancel: () => cancel.abort(), kill: () => kill.abort(), done: perform() };
}

export function violations(reports: readonly AgentReport[]): object[] {
  return reports.flatMap((report) =>
    report.kind === "event" && report.event.type === "violation" ? [report.event.payload] : [],
  );
}

export function events(reports: readonly AgentReport[]): object[] {
  return reports.flatMap((report) =>
    report.kind === "event" && report.event.type === "progress" ? [report.event.payload] : [],
  );
}
