// A recorded agent with each of its faults, driven by the real hub over each transport: the run ends as documented.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { serveMockAgent } from "../../cli/compose/serve-mock-agent.ts";
import type { MockAgentTask } from "../../cli/compose/serve-mock-agent.ts";
import type { ProcessChannel, ProcessOutput } from "../../channels/process/open-process.ts";
import { parseAddress } from "../../core/address.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { createStdioDriver } from "../../protocols/atp/stdio/driver.ts";
import { readRecording } from "../../protocols/replay/read-recording.ts";
import { parseFault } from "./fault.ts";
import { createMockAgent } from "./mock-agent.ts";
import { speakStdio } from "./speak-stdio.ts";

/** As it is built: run from its sources, it would have the compiler's service for a child. */
const PROGRAM = fileURLToPath(new URL("../../../bin/proctor.js", import.meta.url));
const RECORDED = "00000000-0000-4000-8000-000000000001";

let hub: TestHub;
let file: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  hub = await openTestHub({ graceMs: 100 });
  file = await record("haiku.jsonl", "Write a haiku", "old pond");
});
afterAll(() => hub.close());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Three events and a response, as a program said them. */
async function record(name: string, description: string, text: string): Promise<string> {
  const event = (sequence: number): string =>
    JSON.stringify({
      version: "1.0",
      task_id: RECORDED,
      timestamp: "2026-01-02T03:04:05Z",
      sequence,
      event_type: "progress",
      payload: { percentage: sequence * 30 },
    });
  const response = JSON.stringify({
    version: "1.0",
    task_id: RECORDED,
    status: "completed",
    artifacts: [{ type: "file", path: "poem.txt", content: text }],
    metrics: {},
  });
  const say = (channel: string, said: string, at_ms: number) => ({
    at_ms,
    direction: "received",
    channel,
    text: said,
  });
  const lines: object[] = [
    {
      proctor_recording: 1,
      protocol: "atp",
      transport: "stdio",
      agent: "poet",
      task: { description },
      recorded_at: "2026-01-02T03:04:05Z",
      run_id: RECORDED,
    },
    ...[0, 1, 2].map((sequence) => say("stderr", event(sequence), 20 * sequence)),
    say("stdout", response, 100),
    { end: { status: "completed", exit_code: 0 } },
  ];
  await mkdir(join(hub.folder, "recordings"), { recursive: true });
  const path = join(hub.folder, "recordings", name);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

interface Served {
  http: AgentSpec;
  ws: AgentSpec;
  tasks: MockAgentTask[];
}

async function serve(options: { path?: string; faults?: string[]; speed?: number } = {}): Promise<Served> {
  const { path = file, faults = [], speed = 0 } = options;
  const stop = new AbortController();
  const tasks: MockAgentTask[] = [];
  let ended: Promise<unknown> = Promise.resolve();
  const addresses = await new Promise<readonly string[]>((resolve, reject) => {
    ended = serveMockAgent({
      path,
      faults,
      speed,
      seed: 1,
      port: 0,
      signal: stop.signal,
      onReady: (info) => resolve(info.addresses),
      onTask: (task) => tasks.push(task),
    });
    ended.catch(reject);
  });
  stops.push(async () => {
    stop.abort();
    await ended;
  });
  const [http = "", ws = ""] = addresses;
  return { http: parseAddress(http), ws: parseAddress(ws), tasks };
}

interface Ended {
  status: string;
  code: string | undefined;
  rules: string[];
  events: number;
}

async function run(agent: AgentSpec, timeoutSeconds = 20): Promise<Ended> {
  const constraints = { timeout_seconds: timeoutSeconds };
  const { run } = await hub.hub.submit({ agent, task: { description: "Write a haiku" }, constraints });
  const { status, failure, violations } = await hub.ended(run.id);
  const log = await hub.log(run.id);
  return {
    status,
    code: failure?.code,
    rules: violations.map(({ rule }) => rule),
    events: log.filter(({ type }) => type === "progress").length,
  };
}

const completed = (events: number, ...rules: string[]): Ended => ({
  status: "completed",
  code: undefined,
  rules,
  events,
});
const failed = (code: string, events: number, ...rules: string[]): Ended => ({
  status: "failed",
  code,
  rules,
  events,
});

interface Case {
  fault: string;
  /** Where transports differ, each. */
  http: Ended;
  ws?: Ended;
  stdio?: Ended;
}

const CASES: Case[] = [
  { fault: "drop:2", http: completed(2, "atp.sequence.gap") },
  { fault: "drop:4", http: failed("NO_RESPONSE", 3) },
  { fault: "drop:100%", http: failed("NO_RESPONSE", 0) },
  { fault: "delay:20", http: completed(3) },
  { fault: "delay:20:4", http: completed(3) },
  { fault: "corrupt:1", http: completed(2, "atp.json", "atp.sequence.gap") },
  { fault: "corrupt:4", http: failed("NO_RESPONSE", 3, "atp.json") },
  {
    fault: "cut:2",
    http: failed("CONNECTION_LOST", 2),
    stdio: failed("AGENT_CRASHED", 2),
  },
  {
    fault: "cut:0",
    http: failed("CONNECTION_LOST", 0),
    stdio: failed("AGENT_CRASHED", 0),
  },
  { fault: "duplicate:2", http: completed(4, "atp.sequence.repeated") },
  { fault: "duplicate:4", http: completed(3), stdio: completed(3, "atp.response.repeated") },
  { fault: "garbage:2", http: completed(3, "atp.json") },
];

describe.each(["http", "ws"] as const)("a mock agent over %s", (transport) => {
  it("answers as recorded, as often as it is asked", async () => {
    const served = await serve();
    expect(await Promise.all([run(served[transport]), run(served[transport])])).toEqual([
      completed(3),
      completed(3),
    ]);
    expect(served.tasks.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
  });

  it.each(CASES)("with $fault ends as documented", async (expected) => {
    const served = await serve({ faults: [expected.fault] });
    expect(await run(served[transport])).toEqual(expected[transport] ?? expected.http);
  });

  it("with stall:1 is out of time", async () => {
    const served = await serve({ faults: ["stall:1"] });
    // Long enough for the event before the stall on any machine.
    expect(await run(served[transport], 3)).toEqual({ ...failed("TIMEOUT", 1), status: "timeout" });
  });

  it("with reorder sends events in another order, the same each time", async () => {
    const orders: Ended[] = [];
    for (let time = 0; time < 2; time++) {
      const served = await serve({ faults: ["reorder"] });
      orders.push(await run(served[transport]));
    }
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]?.rules).toContain("atp.sequence.gap");
    expect(orders[0]).toMatchObject({ status: "completed", events: 3 });
  });
});

describe("a mock agent as a program", () => {
  /** The same without the cost of a process: what it writes are the lines that the driver hears. */
  async function speak(fault: string): Promise<Ended> {
    const recording = await readRecording(file);
    const agent = createMockAgent({
      recordings: [{ file, recording }],
      faults: [parseFault(fault)],
      seed: 1,
      speed: 0,
      callTool: () => Promise.resolve(),
      onTask: () => undefined,
    });
    const job = {
      runId: randomUUID(),
      task: { description: "x" },
      spec: { protocol: "atp", transport: "stdio" },
    };
    const lines: ProcessOutput[] = [];
    const write = (stream: "stdout" | "stderr") => (text: string) =>
      void lines.push({ kind: "line", stream, text, terminated: true, invalidUtf8: false });
    const request = JSON.stringify({ task_id: job.runId, task: job.task });
    async function* stdin(): AsyncGenerator<string> {
      yield `${request}\n`;
    }
    const pipes = { stdin: stdin(), writeOut: write("stdout"), writeError: write("stderr") };
    const code = await speakStdio(agent, pipes, new AbortController().signal);
    const channel: ProcessChannel = {
      pid: undefined,
      write: () => Promise.resolve(true),
      endInput() {},
      signal() {},
      pause() {},
      resume() {},
      kill: () => Promise.resolve(),
      async *[Symbol.asyncIterator]() {
        yield [...lines, { kind: "exit", code, signal: null, leftover: 0 }];
      },
    };
    const never = new AbortController().signal;
    const driver = createStdioDriver({ hubId: "", start: () => channel });
    const ended: Ended = { status: "", code: undefined, rules: [], events: 0 };
    const rest = { constraints: {}, context: {}, metadata: {}, traceId: "0".repeat(32) };
    for await (const report of driver.open({ ...job, ...rest }, { cancel: never, kill: never })) {
      if (report.kind === "end")
        Object.assign(ended, { status: report.end.status, code: report.end.failure?.code });
      else if (report.kind === "event" && report.event.type === "progress") ended.events += 1;
      else if (report.kind === "event" && report.event.type === "violation")
        ended.rules.push(report.event.payload.rule);
    }
    return ended;
  }

  it.each(CASES)("with $fault ends as documented", async ({ fault, http, stdio = http }) => {
    expect(await speak(fault)).toEqual(stdio);
  });

  it("is run by its address, with faults, and stopped when it stalls", async () => {
    const spec = (...faults: string[]): AgentSpec => ({
      protocol: "atp",
      transport: "stdio",
      command: [process.execPath, PROGRAM, "mock", "agent", file, "--stdio", ...faults],
      cwd: fileURLToPath(new URL("../../../../..", import.meta.url)),
    });
    const [several, stalled] = await Promise.all([
      run(spec("--fault", "drop:2", "--fault", "garbage:1", "--fault", "cut:4")),
      run(spec("--fault", "stall:3"), 3),
    ]);
    // The response had been sent: the crash after it is only a violation.
    expect(several).toEqual(completed(2, "atp.json", "atp.sequence.gap", "process.exit_code"));
    expect(stalled).toMatchObject({ status: "timeout", code: "TIMEOUT" });
  });
});

it("a mock agent waits as long as recorded, divided by its speed", async () => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    after(delayMs, callback) {
      waits.push(delayMs);
      queueMicrotask(callback);
      return () => {};
    },
  };
  const agent = createMockAgent({
    recordings: [{ file, recording: await readRecording(file) }],
    faults: [parseFault("delay:7:4")],
    seed: 1,
    speed: 2,
    clock,
    callTool: () => Promise.resolve(),
    onTask: () => undefined,
  });
  const task = { taskId: "t-1", description: "Write a haiku", endpoint: undefined };
  const { signal } = new AbortController();
  expect(await agent.begin(task).play(() => Promise.resolve(true), signal)).toBe("answered");
  expect(waits).toEqual([10, 10, 30, 7]);
});

it.each([
  ["is nested too deeply", "[".repeat(300)],
  ["has a number that cannot be kept exactly", '{"task_id":"t","task":{"description":"x","n":1e999}}'],
])("a mock agent refuses a request that %s", async (_, body) => {
  const { http } = await serve();
  expect((await fetch(`${http.url}/execute`, { method: "POST", body })).status).toBe(400);
});

it("a mock agent of a folder picks by the task's description, then in turn", async () => {
  await record("other.jsonl", "Tell a joke", "knock knock");
  const served = await serve({ path: join(hub.folder, "recordings") });
  await run(served.http);
  await run(served.http);
  const unknown = async (): Promise<void> => {
    const { run: submitted } = await hub.hub.submit({ agent: served.http, task: { description: "?" } });
    await hub.ended(submitted.id);
  };
  await unknown();
  await unknown();
  expect(served.tasks.map(({ file: from }) => from)).toEqual([
    "haiku.jsonl",
    "haiku.jsonl",
    "haiku.jsonl",
    "other.jsonl",
  ]);
});

it("a mock agent answers /execute with the response alone, and refuses what is no request", async () => {
  const { http } = await serve();
  const post = (path: string, body: string): Promise<Response> =>
    fetch(`${http.url}${path}`, { method: "POST", body });
  const request = { version: "1.0", task_id: "t-1", task: { description: "x" } };
  const response = await post("/execute", JSON.stringify(request));
  expect(await response.json()).toMatchObject({ task_id: "t-1", status: "completed" });
  expect((await post("/execute", "{")).status).toBe(400);
  expect((await post("/execute/stream", '{"task_id":1}')).status).toBe(400);
  expect((await post("/nothing", "{}")).status).toBe(404);
  expect((await fetch(`${http.url}/execute`)).status).toBe(405);
  const page = { method: "POST", body: "{}", headers: { origin: "https://evil.example" } };
  expect((await fetch(`${http.url}/execute`, page)).status).toBe(403);
});
