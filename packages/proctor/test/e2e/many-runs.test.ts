// docs/guides/many-runs.md, with the built program: interrupted, killed, re-graded, cached, shared out, recorded.
import { createServer, type Server } from "node:http";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram, type Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually } from "../support/eventually.ts";

/** Counts how often it was started, waits while a file says so, and answers. */
const AGENT = `
import { appendFileSync, existsSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, task } = JSON.parse(text);
appendFileSync("calls.txt", task.description + "\\n");
while (existsSync("wait") && task.description !== "t0") await new Promise((resolve) => setTimeout(resolve, 20));
const artifacts = [{ type: "structured", name: "result", data: { output: "hello " + task.description } }];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: { cost_usd: 0.01 } }));
`;

const test = (id: string, pattern = "hello"): string => `
  - id: ${id}
    name: ${id}
    task: { description: ${id} }
    assertions: [{ type: contains, config: { pattern: ${pattern} } }]`;

const suite = (...tests: string[]): string =>
  `test_suite: s\nagents: [{ name: a, command: [node, agent.mjs] }]\ntests:${tests.join("")}\n`;

function folderOf(name: string, text: string): string {
  const folder = join(temporaryFolder("many-runs"), name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent.mjs"), AGENT);
  writeFileSync(join(folder, "suite.yaml"), text);
  return folder;
}

const calls = (folder: string): string[] =>
  existsSync(join(folder, "calls.txt"))
    ? readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n")
    : [];

const proctor = (folder: string, ...flags: string[]): Promise<Ended> =>
  runCommand(["test", "suite.yaml", ...flags], { folder });

/** The report of `--json`. */
async function report(folder: string, ...flags: string[]) {
  const ended = await proctor(folder, "--json", ...flags);
  return { ...ended, report: JSON.parse(ended.stdout || "{}") };
}

describe("proctor test --resume", () => {
  it.each(["SIGINT", "SIGKILL"] as const)("goes on after %s with what is missing", async (signal) => {
    const folder = folderOf(`resume-${signal}`, suite(test("t0"), test("t1"), test("t2")));
    writeFileSync(join(folder, "wait"), "");
    const program = startProgram(["test", "suite.yaml", "--concurrency", "2", "--reporter", "jsonl"], {
      folder,
    });
    await program.printed(/"type":"case".*t0/);
    // Both of the others are at it: none of them writes down its call after the kill.
    await eventually(() => expect(calls(folder).toSorted()).toEqual(["t0", "t1", "t2"]));
    program.child.kill(signal);
    expect((await program.ended).code).toBe(signal === "SIGINT" ? 130 : null);

    unlinkSync(join(folder, "wait"));
    const before = calls(folder).length;
    const { code, report: found } = await report(folder, "--resume");
    expect(code).toBe(0);
    expect(found.summary).toMatchObject({ passed: 3, runs: { total: 3, resumed: 1 } });
    expect(calls(folder).slice(before).toSorted()).toEqual(["t1", "t2"]);

    // Everything is done: nothing more is called.
    const again = await report(folder, "--resume");
    expect(again.report.summary.runs.resumed).toBe(3);
    expect(calls(folder)).toHaveLength(before + 2);
  });

  it("runs everything when there are no earlier results", async () => {
    const folder = folderOf("fresh", suite(test("t0")));
    expect((await report(folder, "--resume")).report.summary).toMatchObject({
      passed: 1,
      runs: { resumed: 0 },
    });
  });
});

describe("earlier results of proctor test", () => {
  const folder = folderOf("again", suite(test("t0"), test("t1", "nowhere")));
  beforeAll(async () => expect((await proctor(folder)).code).toBe(1));

  it("choose with --rerun-failed what did not pass", async () => {
    const before = calls(folder).length;
    const { code, report: found } = await report(folder, "--rerun-failed");
    expect(code).toBe(1);
    expect(found.cases.map((one: { test_id: string }) => one.test_id)).toEqual(["t1"]);
    expect(calls(folder)).toHaveLength(before + 1);
  });

  it("are re-graded with --rescore by new checks, without an agent, and a case without a run is unevaluated", async () => {
    const before = calls(folder).length;
    writeFileSync(join(folder, "suite.yaml"), suite(test("t1", "hello")));
    const { code, report: found } = await report(folder, "--rescore");
    expect(code).toBe(0);
    expect(found.cases[0].runs[0]).toMatchObject({ source: "rescored", outcome: "pass" });
    writeFileSync(join(folder, "suite.yaml"), suite(test("t1"), test("t9")));
    expect((await proctor(folder, "--rescore")).code).toBe(3);
    expect(calls(folder)).toHaveLength(before);
  });

  it("are not replaced by an invocation that could not begin", async () => {
    const own = folderOf("cannot-begin", suite(test("t0")));
    await proctor(own);
    const refused = await proctor(own, "--record", "suite.yaml/tapes");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/--record: .* cannot be written/);
    const { code, report: found } = await report(own, "--resume");
    expect(code).toBe(0);
    expect(found.summary.runs).toMatchObject({ total: 1, resumed: 1 });
  });

  it("are asked for with advice when there are none", async () => {
    const fresh = folderOf("no-results", suite(test("t0")));
    const ended = await proctor(fresh, "--rerun-failed");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/there are no earlier results here.*--results <file>/s);
  });

  it.each([
    [["--rescore", "--resume"], /--resume and --rescore do not go together/],
    [["--rescore", "--cache"], /--rescore calls no agent: it does not go with --cache/],
    [["--replay", "x", "--record", "y"], /--replay calls no agent: it does not go with --record/],
    [["--results", "x"], /--results says where from, and not what for/],
    [["--shard", "4/3"], /It must be like 2\/3/],
    [["--max-cost", "free"], /It must be a number above 0/],
  ])("are not mixed with flags that contradict: %j", async (flags, message) => {
    const ended = await proctor(folder, ...flags);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
  });
});

it("proctor test --cache takes runs of the same content, until the agent changes", async () => {
  const folder = folderOf("cache", suite(test("t0"), test("t1")));
  await proctor(folder, "--cache");
  const second = await report(folder, "--cache");
  expect(second.report.summary.runs).toMatchObject({ total: 2, cached: 2, cost_usd: 0 });
  expect(calls(folder)).toHaveLength(2);

  writeFileSync(join(folder, "agent.mjs"), `${AGENT}// changed\n`);
  expect((await report(folder, "--cache")).report.summary.runs).toMatchObject({ cached: 0 });
  expect(calls(folder)).toHaveLength(4);
});

it("proctor test --shard shares the cases out: each is run once", async () => {
  const tests = Array.from({ length: 5 }, (_, index) => test(`t${index}`));
  const folder = folderOf("shard", suite(...tests));
  for (const part of ["1/3", "2/3", "3/3"]) expect((await proctor(folder, "--shard", part)).code).toBe(0);
  expect(calls(folder).toSorted()).toEqual(["t0", "t1", "t2", "t3", "t4"]);
  expect((await proctor(folder, "--shard", "9/9")).code).toBe(0);
});

it("proctor test --fail-fast and --max-cost end early with an exit code other than 0", async () => {
  const tests = [test("t0", "nowhere"), test("t1"), test("t2")];
  const failing = folderOf("fail-fast", suite(...tests));
  const first = await report(failing, "--fail-fast", "--concurrency", "1");
  expect(first).toMatchObject({
    code: 1,
    report: { summary: { stopped: "fail-fast", failed: 1, not_run: 2 } },
  });

  const costly = folderOf("max-cost", suite(test("t0"), test("t1"), test("t2")));
  const second = await report(costly, "--max-cost", "0.015", "--concurrency", "1");
  expect(second).toMatchObject({
    code: 3,
    report: { summary: { stopped: "max-cost", passed: 2, not_run: 1 } },
  });
});

it("proctor test --watch runs again when a file changes, and goes on when a suite is wrong for a while", async () => {
  const folder = folderOf("watch", suite(test("t0", "nowhere")));
  const program = startProgram(["test", "suite.yaml", "--watch"], { folder });
  await program.printed(/waiting for a change/);
  writeFileSync(join(folder, "suite.yaml"), "test_suite: [");
  await eventually(() => expect(program.stderr()).toMatch(/SUITE_INVALID/));
  await eventually(() => expect(program.stdout().match(/waiting for a change/g)).toHaveLength(2));
  writeFileSync(join(folder, "suite.yaml"), suite(test("t0")));
  await program.printed(/1 passed, 0 failed/);
  await eventually(() => expect(program.stdout().match(/waiting for a change/g)).toHaveLength(3));
  program.child.kill("SIGINT");
  expect((await program.ended).code).toBe(130);
  expect(calls(folder)).toHaveLength(2);
});

it("proctor test --record keeps what travelled, and --replay needs no agent", async () => {
  const folder = folderOf("record", suite(test("t0"), test("t1", "nowhere")));
  const recorded = await report(folder, "--record", "tapes");
  expect(recorded.code).toBe(1);
  expect(readdirSync(join(folder, "tapes/s"))).toHaveLength(2);

  writeFileSync(join(folder, "agent.mjs"), "process.exit(1);");
  const before = calls(folder).length;
  const replayed = await report(folder, "--replay", "tapes");
  expect(replayed.code).toBe(1);
  const outcomes = (cases: { test_id: string; outcome: string }[]): string[] =>
    cases.map(({ test_id, outcome }) => `${test_id} ${outcome}`).toSorted();
  expect(outcomes(replayed.report.cases)).toEqual(outcomes(recorded.report.cases));
  expect(replayed.report.summary.runs).toMatchObject({ replayed: 2 });
  expect(calls(folder)).toHaveLength(before);

  writeFileSync(join(folder, "suite.yaml"), suite(test("t0"), test("t7")));
  const missing = await report(folder, "--replay", "tapes");
  expect(missing.code).toBe(3);
});

describe("an OpenTelemetry collector", () => {
  const bodies: string[] = [];
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        bodies.push((request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString());
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("gets every run of a suite", async () => {
    const folder = folderOf("otlp", suite(test("t0"), test("t1")));
    expect(await proctor(folder, "--otlp", url)).toMatchObject({ code: 0, stderr: "" });
    const spans = bodies
      .flatMap((body) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans: all }: { spans: { name: string }[] }) => all),
      );
    expect(spans.filter(({ name }) => name.startsWith("invoke_agent"))).toHaveLength(2);
  });

  it("gets one run, when it is made and afterwards", async () => {
    const folder = folderOf("otlp-one", suite(test("t0")));
    const before = bodies.length;
    const args = ["run", "--agent", "atp+stdio:node agent.mjs", "--task", "t0", "--json", "--otlp", url];
    const ran = await runCommand(args, { folder });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(bodies).toHaveLength(before + 1);

    const id = JSON.parse(ran.stdout).task_id;
    const sent = await runCommand(["runs", "export", id, "--otlp", url], { folder });
    expect(sent).toMatchObject({ code: 0, stdout: `1 run sent to ${url}\n`, stderr: "" });
    // The same spans: a collector that has them already keeps one.
    expect(JSON.parse(bodies.at(-1)!)).toEqual(JSON.parse(bodies.at(-2)!));
    const refused = await runCommand(["runs", "export", id, "--otlp", "http://127.0.0.1:9"], { folder });
    expect(refused.code).toBe(1);
  });

  it("costs a warning and no verdict when it is not there", async () => {
    const folder = folderOf("otlp-away", suite(test("t0")));
    const ended = await proctor(folder, "--otlp", "http://127.0.0.1:9");
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^warning: .*127\.0\.0\.1:9/);
  });
});
