// A suite of 10,000 cases with 10 runs each, with the built program and an HTTP agent that does nothing: the memory that it takes, and how
// fast its 100,000 runs are re-graded.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureProgram, type Measured } from "./measured-program.ts";
import type { Result } from "./measure.ts";
import { PROGRAM, startBare } from "./processes.ts";

const CASES = 10_000;
const RUNS = 10;

export async function bench(): Promise<Result[]> {
  const agent = await startBare("./bare-agent.mjs");
  const cwd = mkdtempSync(join(tmpdir(), "proctor-suite-scale-"));
  try {
    writeFileSync(join(cwd, "suite.yaml"), JSON.stringify(suite(agent.port)));
    const rows = Array.from({ length: CASES }, (_, index) => JSON.stringify({ number: index }));
    writeFileSync(join(cwd, "rows.jsonl"), `${rows.join("\n")}\n`);
    const run = await test(cwd, ["--concurrency", "50"]);
    const rescore = await test(cwd, ["--rescore"]);
    const perSecond = (CASES * RUNS) / rescore.wallSeconds;
    return [
      {
        name: "suite-memory",
        what: "peak memory of `proctor test` with 10,000 cases × 10 runs, hub and store included",
        value: run.peakMb,
        bound: { atMost: 250 },
        unit: "MB",
        details: {
          "runs/s": (CASES * RUNS) / run.wallSeconds,
          "CPU ms per run": (run.cpuSeconds * 1000) / CASES / RUNS,
        },
      },
      {
        name: "rescore",
        what: "runs re-graded per second, of 100,000, start included, against 5,000",
        value: perSecond / 5000,
        bound: { atLeast: 1 },
        unit: "ratio",
        details: { "runs/s": perSecond, "peak MB": rescore.peakMb },
      },
    ];
  } finally {
    await agent.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function test(cwd: string, flags: readonly string[]): Promise<Measured> {
  const args = [PROGRAM, "test", "suite.yaml", "--reporter", "jsonl=out.jsonl", ...flags];
  const measured = await measureProgram(args, { cwd });
  if (measured.code !== 0)
    throw new Error(`proctor test ended with ${measured.code}: ${measured.output.slice(-500)}`);
  return measured;
}

function suite(port: number): object {
  const assertions = [
    { type: "contains", config: { pattern: "done" } },
    { type: "no_errors" },
    { type: "max_latency", config: { seconds: 60 } },
    { type: "regex", config: { pattern: "d.ne" } },
  ];
  return {
    test_suite: "scale",
    agents: [{ name: "bare", address: `atp+http://127.0.0.1:${port}` }],
    defaults: { runs_per_test: RUNS },
    tests: [
      {
        id: "case",
        name: "case {{ number }}",
        data: "rows.jsonl",
        task: { description: "Case {{ number }}" },
        assertions,
      },
    ],
  };
}
