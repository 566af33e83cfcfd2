// A suite of 1,000 cases against an HTTP agent that does nothing: the CPU that a case costs in a warm process, including loading,
// checks, store and reports. With --peers also as whole programs, `proctor test` beside `promptfoo eval`, which is installed into a
// temporary folder.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalReporter } from "../packages/proctor/src/suites/journal/journal.ts";
import { loadSuite } from "../packages/proctor/src/suites/load.ts";
import { createPlan } from "../packages/proctor/src/suites/plan.ts";
import { jsonlReporter } from "../packages/proctor/src/suites/reporters/jsonl.ts";
import { keyCases } from "../packages/proctor/src/suites/run/case-key.ts";
import { runSuite } from "../packages/proctor/src/suites/run/run-suite.ts";
import { openTestHub } from "../packages/proctor/test/support/test-hub.ts";
import { measureProgram, type Measured } from "./measured-program.ts";
import { median, type Result } from "./measure.ts";
import { PROGRAM, startBare } from "./processes.ts";

const CASES = 1000;
const CONCURRENCY = 10;
const ROUNDS = 3;
const PEER = "promptfoo@0.121.20";

export async function bench(): Promise<Result[]> {
  const agent = await startBare("./bare-agent.mjs");
  const folder = mkdtempSync(join(tmpdir(), "proctor-suite-cases-"));
  try {
    const url = `http://127.0.0.1:${agent.port}`;
    const suite = join(folder, "suite.yaml");
    writeFileSync(suite, JSON.stringify(ourSuite(url)));
    const rows = Array.from({ length: CASES }, (_, index) => JSON.stringify({ task: description(index) }));
    writeFileSync(join(folder, "rows.jsonl"), `${rows.join("\n")}\n`);
    // The first run warms the process up.
    await runHere(folder, suite);
    const here = await repeat(() => runHere(folder, suite));
    const program = await repeat(() => runOurs(folder));
    const results: Result[] = [
      {
        name: "suite-case-cpu",
        what: "CPU for a case, 1,000 cases of a data set with four checks each, 10 at once, on a hub in the same process",
        value: here.cpuMs,
        bound: { atMost: 2 },
        unit: "ms",
        details: { "cases/s": CASES / here.wallSeconds, "whole program ms": program.cpuMs },
      },
    ];
    if (process.argv.includes("--peers")) results.push(await besidePeer(folder, url, program.cpuMs));
    return results;
  } finally {
    await agent.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function besidePeer(folder: string, url: string, oursMs: number): Promise<Result> {
  const home = join(folder, "peer");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", PEER], { cwd: home, stdio: "ignore" });
  writeFileSync(join(home, "config.json"), JSON.stringify(peerSuite(url)));
  const peer = await repeat(() => runPeer(home));
  return {
    name: "suite-vs-peer",
    what: `CPU of ${PEER} for the same cases at the same agent / CPU of \`proctor test\``,
    value: peer.cpuMs / oursMs,
    bound: { atLeast: 10 },
    unit: "ratio",
    details: { "peer ms": peer.cpuMs, "ours ms": oursMs, "peer cases/s": CASES / peer.wallSeconds },
  };
}

async function repeat(run: () => Promise<Measured>): Promise<{ cpuMs: number; wallSeconds: number }> {
  const all: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await run());
  return {
    cpuMs: (median(all.map(({ cpuSeconds }) => cpuSeconds)) / CASES) * 1000,
    wallSeconds: median(all.map(({ wallSeconds }) => wallSeconds)),
  };
}

async function runHere(parent: string, file: string): Promise<Measured> {
  const folder = mkdtempSync(join(parent, "here-"));
  const hub = await openTestHub({ folder, concurrency: CONCURRENCY, agentConcurrency: CONCURRENCY });
  const report = openSync(join(folder, "out.jsonl"), "w");
  const write = (text: string): void => void writeSync(report, text);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const plan = await keyCases(createPlan([await loadSuite(file)]), (name) => Promise.resolve(name));
  const { passed } = await runSuite(plan, hub.hub, {
    services: { runCommand: () => Promise.reject(new Error("no check here runs a command")) },
    concurrency: CONCURRENCY,
    reporters: [jsonlReporter({ write }), journalReporter({ write, now: new Date().toISOString() })],
  });
  const { user, system } = process.cpuUsage(before);
  const wallSeconds = (performance.now() - startedAt) / 1000;
  closeSync(report);
  await hub.close();
  if (passed !== CASES) throw new Error(`only ${passed} of ${CASES} cases passed`);
  return { cpuSeconds: (user + system) / 1e6, peakMb: 0, wallSeconds, code: 0, output: "" };
}

async function runOurs(folder: string): Promise<Measured> {
  const cwd = mkdtempSync(join(folder, "run-"));
  const args = ["test", "../suite.yaml", "--concurrency", `${CONCURRENCY}`, "--reporter", "jsonl=out.jsonl"];
  const measured = await measureProgram([PROGRAM, ...args], { cwd });
  if (measured.code !== 0)
    throw new Error(`proctor test ended with ${measured.code}: ${measured.output.slice(-500)}`);
  return measured;
}

async function runPeer(home: string): Promise<Measured> {
  const program = join(home, "node_modules/promptfoo/dist/src/entrypoint.js");
  const args = [
    "eval",
    "-c",
    "config.json",
    "-j",
    `${CONCURRENCY}`,
    "--no-cache",
    "--no-progress-bar",
    "--no-table",
  ];
  const env = {
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    // Its log files cost CPU time, and may make it fail at its end.
    PROMPTFOO_DISABLE_DEBUG_LOG: "true",
    PROMPTFOO_DISABLE_ERROR_LOG: "true",
    PROMPTFOO_CONFIG_DIR: join(home, "state"),
  };
  const measured = await measureProgram([program, ...args], { cwd: home, env });
  if (measured.code !== 0)
    throw new Error(`the peer ended with ${measured.code}: ${measured.output.slice(-500)}`);
  return measured;
}

const description = (index: number): string => `Find top ${index} competitors for Slack`;

function ourSuite(url: string): object {
  const assertions = [
    { type: "contains", config: { pattern: "done" } },
    { type: "regex", config: { pattern: "d.ne" } },
    { type: "not_contains", config: { pattern: "error" } },
    { type: "max_latency", config: { seconds: 10 } },
  ];
  return {
    test_suite: "bench",
    agents: [{ name: "bare", address: `atp+${url}` }],
    tests: [
      { id: "case", name: "a case", data: "rows.jsonl", task: { description: "{{ task }}" }, assertions },
    ],
  };
}

function peerSuite(url: string): object {
  const body = { version: "1.0", task_id: "{{id}}", task: { description: "{{prompt}}" } };
  const assert = [
    { type: "contains", value: "done" },
    { type: "regex", value: "d.ne" },
    { type: "not-contains", value: "error" },
    { type: "latency", threshold: 10_000 },
  ];
  return {
    prompts: ["{{task}}"],
    providers: [
      {
        id: `${url}/execute`,
        config: {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
          transformResponse: "JSON.stringify(json.artifacts[0].data)",
        },
      },
    ],
    tests: Array.from({ length: CASES }, (_, index) => ({
      vars: { task: description(index), id: `case-${index}` },
      assert,
    })),
  };
}
