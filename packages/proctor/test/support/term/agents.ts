// Terminal agents for tests, written in a line or two: `await next()` is the next request (undefined at the end), `say(…)` one line of
// output, an object or a text.
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { AgentReport, ReceivedArtifact } from "../../../src/core/ports/driver.ts";
import type { AgentEventPayloads, Violation } from "../../../src/core/event.ts";

const PRELUDE = `
  const waiting = [], lines = [];
  let closed = false;
  const input = require("readline").createInterface({ input: process.stdin });
  let onNonsense = (line) => { throw new Error("no request: " + line); };
  input.on("line", (line) => {
    let request;
    try { request = JSON.parse(line); } catch { return onNonsense(line); }
    const take = waiting.shift();
    take ? take(request) : lines.push(request);
  });
  input.on("close", () => { closed = true; for (const take of waiting) take(undefined); });
  const next = () => lines.length > 0 ? Promise.resolve(lines.shift())
    : closed ? Promise.resolve(undefined) : new Promise((resolve) => waiting.push(resolve));
  const say = (what) => process.stdout.write((typeof what === "string" ? what : JSON.stringify(what)) + "\\n");
  const forever = () => new Promise(() => setInterval(() => {}, 1000));
`;

export function agentOf(code: string): AgentSpec {
  const program = `${PRELUDE}(async () => { ${code} })().then(() => { input.close(); })`;
  return { protocol: "term", transport: "stdio", command: [process.execPath, "-e", program] };
}

/** Types these commands, one for each step, then says that it is done. It writes its requests to stderr. */
export function typist(...commands: string[]): AgentSpec {
  return agentOf(`
    const commands = ${JSON.stringify(commands)};
    for (let request = await next(); request; request = await next()) {
      console.error("REQUEST " + JSON.stringify(request));
      const command = commands.shift();
      say(command === undefined ? { command: null, task_complete: true } : { command, task_complete: false });
      if (command === undefined) return;
    }`);
}

/** Gives these answers, one for each request; stays when there are no more. It writes its requests to stderr. */
export function answering(...answers: (object | string)[]): AgentSpec {
  return agentOf(`
    const answers = ${JSON.stringify(answers)};
    for (let request = await next(); request; request = await next()) {
      console.error("REQUEST " + JSON.stringify(request));
      const answer = answers.shift();
      if (answer === undefined) continue;
      say(answer);
      if (answer.task_complete) return;
    }`);
}

export interface Seen {
  requests: Record<string, unknown>[];
  calls: AgentEventPayloads["tool_call"][];
  thoughts: unknown[];
  violations: Violation[];
  rules: string[];
  logs: string[];
  artifacts: ReceivedArtifact[];
  ends: Extract<AgentReport, { kind: "end" }>["end"][];
  kinds: string[];
}

export function look(reports: readonly AgentReport[]): Seen {
  const events = reports.flatMap((report) => (report.kind === "event" ? [report.event] : []));
  const logs = events.flatMap((event) => (event.type === "log" ? [event.payload.text] : []));
  const violations = events.flatMap((event) => (event.type === "violation" ? [event.payload] : []));
  return {
    requests: logs
      .flatMap((text) => text.split("\n"))
      .filter((line) => line.startsWith("REQUEST "))
      .map((line) => JSON.parse(line.slice("REQUEST ".length)) as Record<string, unknown>),
    calls: events.flatMap((event) => (event.type === "tool_call" ? [event.payload] : [])),
    thoughts: events.flatMap((event) => (event.type === "reasoning" ? [event.payload] : [])),
    violations,
    rules: violations.map(({ rule }) => rule),
    logs,
    artifacts: reports.flatMap((report) => (report.kind === "artifact" ? [report.artifact] : [])),
    ends: reports.flatMap((report) => (report.kind === "end" ? [report.end] : [])),
    kinds: events.map(({ type }) => type),
  };
}

export async function contentOf(artifact: ReceivedArtifact | undefined): Promise<string> {
  if (artifact?.type !== "file") return "";
  if (artifact.content) return Buffer.from(artifact.content).toString("utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of artifact.read?.() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
