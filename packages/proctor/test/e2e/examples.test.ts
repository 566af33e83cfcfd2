// Every folder in examples/ does what it says it does.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atpResponse } from "../../src/protocols/atp/wire.ts";
import { lacksBwrap } from "../support/bwrap.ts";
import { runCommand } from "../support/run-command.ts";
import { shareEnvironments } from "../support/share-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const data = temporaryFolder("examples");
shareEnvironments(data);
/** Examples are run from the checkout; what they leave behind goes elsewhere. */
const env = { DATABASE_URL: `file:${join(data, "proctor.db")}`, ARTIFACTS_DIR: join(data, "artifacts") };
const python = spawnSync("python3", ["--version"]).status === 0;
const NO_PYTHON = "python3 is not installed here";
/** Of the program that document 000 prints under "Minimal Agent Implementation (Python)". */
const DOCUMENT_000_AGENT = "f37a225c3a2e182794da4fd2aec18b07c559c765d41743cfc32386f609b9207e";

it("covers every folder", () => {
  expect(readdirSync(join(root, "examples")).toSorted()).toEqual([
    "a2a-proxy",
    "any-agent",
    "conversation",
    // Run by envelopes.test.ts.
    "envelope-grpc",
    "envelope-python",
    "first-suite",
    "flaky-agent",
    "minimal-node",
    "minimal-python",
    "mock-llm",
    "mock-tools",
    "model-planner",
    "regression-gate",
    "script-tools",
    "sdk-python",
    "sdk-typescript",
    "terminal-agents",
    "terminal-tasks",
    "three-agents",
    "tool-suite",
    "transports",
  ]);
});

describe.skipIf(lacksBwrap("terminal examples"))("terminal agents and tasks", () => {
  it.each([
    "term+stdio:examples/terminal-agents/hello.py",
    "term+stdio:examples/terminal-agents/hello.ts",
    "oracle",
  ])("%s does the task", async (agent) => {
    const output = join(temporaryFolder("terminal-examples"), agent.replaceAll(/\W/g, "-"));
    const args = ["tasks", "run", "examples/terminal-tasks", "--agent", agent, "--output", output];
    expect(await runCommand(args, { folder: root, env })).toMatchObject({ code: 0 });
  });
});

async function expectProcessed(command: string): Promise<void> {
  const args = ["run", "--agent", `atp+stdio:${command}`, "--task", "Say hello", "--json"];
  const ended = await runCommand(args, { folder: root, env });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(atpResponse.parse(JSON.parse(ended.stdout))).toMatchObject({
    status: "completed",
    artifacts: [{ type: "structured", name: "result", data: { output: "Processed: Say hello" } }],
  });
}

it("minimal-node answers", async () => {
  await expectProcessed("node examples/minimal-node/agent.mjs");
});

it("minimal-python is the agent of document 000, byte for byte", () => {
  const bytes = readFileSync(join(root, "examples/minimal-python/agent.py"));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(DOCUMENT_000_AGENT);
});

it("minimal-python answers", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  await expectProcessed("python3 examples/minimal-python/agent.py");
});

it("sdk-typescript answers", async () => {
  await expectProcessed("node examples/sdk-typescript/agent.mjs");
});

it("sdk-python answers", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  await expectProcessed("python3 examples/sdk-python/agent.py");
});

it("first-suite passes", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  const ended = await runCommand(["test", "examples/first-suite/suite.yaml"], { folder: root, env });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toMatch(/4 passed, 0 failed/);
});

it("flaky-agent passes when it is right, and fails when it is not", async () => {
  const suite = ["test", "examples/flaky-agent/suite.yaml", "--reporter", "json"];
  const right = await runCommand(suite, { folder: root, env: { ...env, FLAKY_RATE: "0" } });
  expect(right).toMatchObject({ code: 0, stderr: "" });
  const { cases } = JSON.parse(right.stdout);
  const [adds, always] = ["adds", "adds-always"].map((id) =>
    cases.find(({ test_id }: { test_id: string }) => test_id === id),
  );
  expect(adds).toMatchObject({ gate: { decision: "pass", at_least: 0.8 } });
  expect(adds.gate.runs).toBeLessThan(60);
  expect(always.statistics).toMatchObject({ runs: 5, passed: 5, flakiness: 0 });

  const wrong = await runCommand(suite, { folder: root, env: { ...env, FLAKY_RATE: "1" } });
  expect(wrong.code).toBe(1);
  const gates = JSON.parse(wrong.stdout).cases.map(({ gate }: { gate: object | null }) => gate);
  expect(gates).toContainEqual(expect.objectContaining({ decision: "fail" }));
});

it("tool-suite passes", async () => {
  const ended = await runCommand(["test", "examples/tool-suite/suite.yaml"], { folder: root, env });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

it("script-tools calls its scripts, by hand and in a run", async () => {
  const schema = ["--parameters", "examples/script-tools/slug.schema.json"];
  const proctor = (...args: string[]) => runCommand(args, { folder: root, env });
  const added = await proctor("tools", "add", "slug", "examples/script-tools/slug.js", ...schema);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect(await proctor("tools", "call", "slug", "--input", '{"text": "Hello, World!"}')).toMatchObject({
    code: 0,
    stdout: '{"slug":"hello-world"}\n',
  });
  const tested = await proctor("test", "examples/script-tools/suite.yaml");
  expect(tested).toMatchObject({ code: 0, stderr: "" });
});

it.skipIf(!python || lacksBwrap("a tool in Python"))("script-tools calls its program", async () => {
  const schema = ["--parameters", "examples/script-tools/slug.schema.json"];
  const proctor = (...args: string[]) => runCommand(args, { folder: root, env });
  await proctor("tools", "add", "words", "examples/script-tools/words.py", ...schema);
  expect(await proctor("tools", "call", "words", "--input", '{"text": "one two two"}')).toMatchObject({
    code: 0,
    stdout: '{"words":3,"most_common":"two"}\n',
    stderr: "counted 3 words\n",
  });
});

it("any-agent asks a service and a program that know no protocol", async () => {
  const server = spawn("node", ["examples/any-agent/endpoint.mjs", "0"], { cwd: root });
  try {
    const [, port = ""] = await once(server.stdout.setEncoding("utf8"), "data").then(
      ([text]) => /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text)) ?? [],
    );
    const args = ["test", "examples/any-agent/suite.yaml"];
    const ended = await runCommand(args, { folder: root, env: { ...env, ENDPOINT_PORT: port } });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/4 passed, 0 failed/);
  } finally {
    server.kill();
  }
});

it("conversation passes, scripted and simulated", async () => {
  const suite = ["test", "examples/conversation/suite.yaml", "--reporter", "json"];
  const tested = await runCommand(suite, { folder: root, env });
  expect(tested).toMatchObject({ code: 0, stderr: "" });
  const { cases } = JSON.parse(tested.stdout);
  const threads = cases.map(
    ({ runs }: { runs: { thread: { ended: string; turns: object[] } }[] }) => runs[0]?.thread,
  );
  // The report has the cases in the order in which they ended.
  expect(threads).toHaveLength(2);
  for (const ended of ["script", "goal_reached"]) {
    expect(threads).toContainEqual(
      expect.objectContaining({ ended, turns: [{}, {}, {}].map(() => expect.anything()) }),
    );
  }
});

it("transports agree", async () => {
  const agent = "node examples/sdk-typescript/agent.mjs";
  const server = spawn("node", ["examples/sdk-typescript/agent.mjs", "--serve"], { cwd: root });
  try {
    const [, url = ""] = await once(server.stdout.setEncoding("utf8"), "data").then(
      ([text]) => /listening on http:\/\/(\S+)/.exec(String(text)) ?? [],
    );
    const addresses = `atp+stdio:${agent},atp+http://${url},atp+ws://${url}/ws`;
    const args = ["test", "examples/transports/suite.yaml", "--transports", addresses];
    const ended = await runCommand(args, { folder: root, env });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/6 passed/);
  } finally {
    server.kill();
  }
});
