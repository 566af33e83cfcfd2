// Sentences of document 000 that only a whole run can keep: bytes on pipes and sockets, artifacts on their way from an agent
// to a client, secrets, tools. Each title begins with the heading it is about.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScriptedDriver } from "../../../test/support/scripted-driver.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { fixture, openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import { startProcess, startTools } from "../../doubles/tools/harness.case.ts";
import { createToolServer } from "../../doubles/tools/tool-server.ts";
import { listen, type Listening } from "../../server/listen.ts";
import type { Surface } from "../protocol.ts";
import { expectStrict } from "./messages.case.ts";
import { createAtpSurface } from "./surface.ts";

const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));
const folder = temporaryFolder("document");
const python = spawnSync("python3", ["--version"]).status === 0;

let opened: TestHub;
let surface: Surface;
let server: Listening;

beforeAll(async () => {
  opened = await openTestHub();
  const { hub, reader: log } = opened;
  surface = createAtpSurface({
    hub,
    keepAliveMs: 60_000,
    report: (problem) => opened.problems.push(problem),
    log,
  });
  const app = { fetch: (request: Request) => surface.fetch(request, { traceId: "1".repeat(32) }) };
  server = await listen({ app, host: "127.0.0.1", port: 0 });
  await hub.addAgent({ name: "ok", ...fixture("ok") });
});

afterAll(async () => {
  surface.close();
  await server.close(0);
  await opened.close();
  expect(opened.problems).toEqual([]);
});

it("what clients may set: a variable that loads code starts nothing, unless the registration allows it", async () => {
  const marker = join(folder, "loaded");
  const code = join(folder, "code.cjs");
  writeFileSync(code, `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`);
  const request = {
    version: "1.0",
    task_id: TASK_ID,
    task: { description: "hello" },
    context: { environment: { NODE_OPTIONS: `--require=${code}` } },
  };
  const send = (agent: string): Promise<Response> =>
    fetch(new URL(`/atp/${agent}/execute`, server.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
  const refused = await send("ok");
  expect(refused.status).toBe(400);
  const { error, error_code } = (await refused.json()) as JsonObject;
  expect(error_code).toBe("INVALID_REQUEST");
  expect(error).toContain("context.environment may not set NODE_OPTIONS");
  expect(error).toContain("--client-env NODE_OPTIONS");
  expect(existsSync(marker)).toBe(false);
  await opened.hub.addAgent({ name: "open", ...fixture("ok"), client_env: ["NODE_OPTIONS"] });
  expect((await send("open")).status).toBe(200);
  expect(existsSync(marker)).toBe(true);
});

it('"Transport": over stdin the request is one line of JSON, and nothing follows it', async () => {
  const description = "two\nlines\r\nand \u2028 a third";
  const { artifacts, violations } = await run(
    program(`
      let bytes = "";
      process.stdin.setEncoding("utf8").on("data", (chunk) => (bytes += chunk)).on("end", () => {
        const { task_id } = JSON.parse(bytes);
        const artifacts = [{ type: "structured", name: "stdin", data: { bytes } }];
        console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
      });`),
    { task: { description } },
  );
  expect(violations).toEqual([]);
  // The program answers at the end of its input, so there was one.
  const { bytes } = (artifacts[0] as { data?: { bytes: string } }).data ?? { bytes: "" };
  expect(bytes.indexOf("\n")).toBe(bytes.length - 1);
  const request = JSON.parse(bytes) as JsonObject;
  expectStrict("request", request);
  expect(request["task"]).toEqual({ description });
});

it('"Transport": events belong on stderr and the response, as one line, on stdout', async () => {
  const event = {
    version: "1.0",
    timestamp: "2025-01-21T10:30:45.123Z",
    sequence: 0,
    event_type: "progress",
    payload: { percentage: 5 },
  };
  const answer = { version: "1.0", status: "completed", artifacts: [], metrics: {} };
  const say = (code: string): AgentSpec =>
    program(`
      require("node:readline").createInterface({ input: process.stdin }).once("line", (line) => {
        const { task_id } = JSON.parse(line);
        const event = { ...${JSON.stringify(event)}, task_id };
        const answer = { ...${JSON.stringify(answer)}, task_id };
        ${code}
      });`);
  const heard = async (code: string): Promise<object> => {
    const { id, status, violations } = await run(say(code));
    const types = (await opened.log(id)).map(({ type }) => type);
    return { status, events: types.filter((type) => type === "progress").length, rules: rulesOf(violations) };
  };
  const line = "JSON.stringify(answer)";
  expect(await heard(`console.error(JSON.stringify(event)); console.log(${line});`)).toEqual({
    status: "completed",
    events: 1,
    rules: [],
  });
  expect(await heard(`console.log(JSON.stringify(event)); console.log(${line});`)).toEqual({
    status: "completed",
    events: 1,
    rules: ["atp.stdio.stream"],
  });
  expect(await heard(`console.error(JSON.stringify(event)); console.error(${line});`)).toEqual({
    status: "failed",
    events: 1,
    rules: ["atp.stdio.stream"],
  });
  expect(await heard("console.log(JSON.stringify(answer, null, 2));")).toEqual({
    status: "completed",
    events: 0,
    // Its first line alone is no JSON.
    rules: ["atp.json", "atp.stdio.line"],
  });
});

it('"Request Fields": every execution has a task_id of its own, a UUID', async () => {
  const runs = await Promise.all([run(fixture("ok")), run(fixture("ok"))]);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
  for (const { id, violations } of runs) {
    expectStrict("request", { version: "1.0", task_id: id, task: { description: "x" } });
    // The agent echoes it, and another would be noted.
    expect(violations).toEqual([]);
  }
});

it('"Artifact Types": binary content is base64, and size and sha256 are of the decoded bytes', async () => {
  const bytes = Buffer.from([0, 255, 16, 32, 7]);
  const content = bytes.toString("base64");
  const honest = {
    type: "file",
    path: "out.bin",
    content_type: "application/octet-stream",
    size_bytes: bytes.length,
    content_hash: sha256(bytes),
    content,
  };
  const good = await run(saying({ artifacts: [honest] }));
  expect(good).toMatchObject({ violations: [], artifacts: [{ size_bytes: 5, content_hash: sha256(bytes) }] });
  const chunks: Uint8Array[] = [];
  const [artifact] = good.artifacts;
  for await (const chunk of await opened.hub.readArtifact(good.id, artifact?.id ?? "")) chunks.push(chunk);
  expect(Buffer.concat(chunks)).toEqual(bytes);
  const ofText = { ...honest, content_hash: sha256(Buffer.from(content)) };
  const bad = await run(saying({ artifacts: [ofText] }));
  expect(rulesOf(bad.violations)).toEqual(["artifact.hash"]);
});

it('"Artifact Types": a reference goes on to the client, also when its bytes are not here', async () => {
  const reference = {
    type: "reference",
    path: "/workspace/large_file.csv",
    content_type: "text/csv",
    size_bytes: 15_000_000,
    content_hash: "sha256:...",
  };
  const described = { type: "file", path: "output/report.md", size_bytes: 4523, content_hash: "sha256:..." };
  await opened.hub.addAgent({ name: "points", ...saying({ artifacts: [reference, described] }) });
  const context = { workspace_path: "/workspace" };
  const { status, body } = await execute("points", { context });
  expect(status).toBe(200);
  expectStrict("response", body);
  expect(body).toMatchObject({ status: "completed", artifacts: [reference, described] });
  for (const artifact of body["artifacts"] as JsonObject[]) expect(artifact).not.toHaveProperty("content");
});

it('"Version Negotiation": the headers of the example are understood and answered', async () => {
  const head = [
    "POST /atp/ok/execute HTTP/1.1",
    "Accept: application/vnd.atp.v1+json",
    "Content-Type: application/vnd.atp.v1+json",
  ];
  const body = JSON.stringify({ version: "1.0", task_id: TASK_ID, task: { description: "x" } });
  const answer = await exchange(server.port, head, body);
  expect(answer.head).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer.head).toMatch(/^content-type: application\/vnd\.atp\.v1\+json\r?$/im);
  expectStrict("response", answer.body);
  expect(answer.body).toMatchObject({ task_id: TASK_ID, status: "completed" });
});

it('"Error Response": a refused request is answered with a whole response', async () => {
  for (const wrong of [{ task: {} }, { version: "2.0" }, { constraints: { max_steps: 0 } }]) {
    const { status, body } = await execute("ok", wrong);
    expect(status).toBe(400);
    expectStrict("response", body);
    expect(body).toMatchObject({
      version: "1.0",
      task_id: TASK_ID,
      status: "failed",
      artifacts: [],
      metrics: {},
      error: expect.stringMatching(/\w/) as string,
      error_code: "INVALID_REQUEST",
    });
  }
});

it('"Secrets": they reach the agent in context.environment, and are stored nowhere, wherever the client put them', async () => {
  const driver = createScriptedDriver();
  const scripted = await openTestHub({ driver });
  try {
    const secret = "sk-live-0123456789";
    const { run } = await scripted.hub.submit({
      agent: "atp+stdio:x",
      task: { description: `log in with ${secret}`, input_data: { key: secret } },
      context: { environment: { API_KEY: secret } },
    });
    const session = await driver.session(0);
    session.end();
    const ended = await scripted.ended(run.id);
    expect(session.job.context.environment).toEqual({ API_KEY: secret });
    expect(ended.task.description).toBe("log in with [redacted:API_KEY]");
    expect(JSON.stringify(await scripted.log(run.id))).not.toContain(secret);
  } finally {
    await scripted.close();
  }
});

const AGENTS: [name: string, agent: AgentSpec][] = [
  ["the TypeScript SDK", command("node", join(ROOT, "examples/sdk-typescript/agent.mjs"))],
  ["the Python SDK", command("python3", join(ROOT, "examples/sdk-python/agent.py"))],
  ["the document's agent", command("python3", join(ROOT, "examples/minimal-python/agent.py"))],
];

it.for(AGENTS)(
  '"Input Validation": a description is text and never runs: %s',
  async ([, agent], { skip }) => {
    if (agent.command?.[0] === "python3" && !python) skip("python3 is not installed here");
    const file = join(folder, "executed");
    const description = [
      `$(touch ${file}) \`touch ${file}\` ; touch ${file} | touch ${file}`,
      `\${require("node:fs").writeFileSync("${file}", "")} {__import__("os").system("touch ${file}")}`,
      `"); process.mainModule.require("fs").writeFileSync("${file}", ""); ("`,
    ].join("\n");
    const { status, artifacts } = await run(agent, { task: { description } });
    expect(status).toBe("completed");
    expect(artifacts).toMatchObject([{ data: { output: `Processed: ${description}` } }]);
    expect(existsSync(file)).toBe(false);
  },
);

/** As the document prints it, but for the host. */
const CALL = {
  head: ["POST /tools/web_search HTTP/1.1", "Content-Type: application/json"],
  body: `{
  "task_id": "...",
  "input": {
    "query": "Slack competitors"
  }
}`,
};
const TOOLS = [{ name: "web_search", default: { output: { results: [] } } }];
const ANSWER = { status: "success", output: { results: [] }, duration_ms: expect.any(Number) as number };

it('"Appendix: Tool Protocol": the call of the example is answered in the shape of the example', async () => {
  const calls: JsonObject[] = [];
  const mock = await createToolServer({
    tools: { tools: TOOLS },
    allowHosts: [],
    startProcess,
    secret: false,
    onCall: async (call) => void calls.push(call),
  });
  const alone = await listen({ app: mock, host: "127.0.0.1", port: 0 });
  try {
    const answer = await exchange(alone.port, CALL.head, CALL.body);
    expect(answer.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.head).toMatch(/^content-type: application\/json\r?$/im);
    expect(answer.body).toEqual(ANSWER);
    expect(calls).toMatchObject([
      { tool: "web_search", input: { query: "Slack competitors" }, mode: "mock" },
    ]);
  } finally {
    await mock.close();
    await alone.close(0);
  }
});

it('"Appendix: Tool Protocol": at the endpoint of a run, too, and the platform has seen it', async () => {
  const tools = await startTools();
  try {
    const session = await tools.open(TOOLS);
    const { pathname, port } = new URL(session.url);
    const head = CALL.head.map((line) => line.replace("/tools/", `${pathname}/`));
    expect((await exchange(Number(port), head, CALL.body)).body).toEqual(ANSWER);
    expect(session.calls).toMatchObject([
      {
        tool: "web_search",
        input: { query: "Slack competitors" },
        output: { results: [] },
        status: "success",
      },
    ]);
    await session.close();
  } finally {
    await tools.close();
  }
});

async function run(agent: AgentSpec, request: Partial<RunRequest> = {}): Promise<Run> {
  const { run } = await opened.hub.submit({ agent, task: { description: "x" }, ...request });
  return opened.ended(run.id);
}

function rulesOf(violations: Run["violations"]): string[] {
  return violations.map(({ rule }) => rule);
}

async function execute(agent: string, fields: JsonObject): Promise<{ status: number; body: JsonObject }> {
  const request = { version: "1.0", task_id: TASK_ID, task: { description: "x" }, ...fields };
  const answer = await fetch(`${server.url}/atp/${agent}/execute`, {
    method: "POST",
    headers: { "content-type": "application/vnd.atp.v1+json" },
    body: JSON.stringify(request),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

function command(...words: string[]): AgentSpec {
  const env = { PYTHONPATH: join(ROOT, "sdk/python"), PYTHONDONTWRITEBYTECODE: "1" };
  return { protocol: "atp", transport: "stdio", command: words, env };
}

function program(code: string): AgentSpec {
  return { protocol: "atp", transport: "stdio", command: [process.execPath, "-e", code] };
}

/** An agent that answers with these fields. */
function saying(fields: JsonObject): AgentSpec {
  return program(`
    require("node:readline").createInterface({ input: process.stdin }).once("line", (line) => {
      const { task_id } = JSON.parse(line);
      const response = { version: "1.0", task_id, status: "completed", artifacts: [], metrics: {} };
      console.log(JSON.stringify({ ...response, ...${JSON.stringify(fields)} }));
    });`);
}

/** These very lines on a socket, with what HTTP/1.1 itself asks for. */
async function exchange(port: number, lines: string[], body: string): Promise<{ head: string; body: Json }> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
  const own = ["Host: localhost", "Connection: close", `Content-Length: ${Buffer.byteLength(body)}`];
  socket.write(`${[...lines, ...own].join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "close");
  const [head = "", rest = ""] = received.split("\r\n\r\n");
  return { head, body: JSON.parse(rest.slice(rest.indexOf("{"), rest.lastIndexOf("}") + 1)) as Json };
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
