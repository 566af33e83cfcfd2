// 200 trials of a hello-world task with its own solution, by the built program: environment, shell, snapshot, verifier and files of each.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureProgram, type Measured } from "./measured-program.ts";
import type { Result } from "./measure.ts";
import { PROGRAM } from "./processes.ts";

const TASK = fileURLToPath(new URL("../examples/terminal-tasks/hello", import.meta.url));
const TRIALS = 200;
/** Number of trials of the smaller run: a leak would make the memory of the larger one grow with their number. */
const FEW = 20;

export async function bench(): Promise<Result[]> {
  const cwd = mkdtempSync(join(tmpdir(), "proctor-trials-"));
  try {
    cpSync(TASK, join(cwd, "tasks/hello"), { recursive: true });
    const few = await run(cwd, FEW);
    const many = await run(cwd, TRIALS);
    const perSecond = TRIALS / many.wallSeconds;
    return [
      {
        name: "trials",
        what: "trials per second of a hello-world task with its solution, start included, against 10",
        value: perSecond / 10,
        bound: { atLeast: 1 },
        unit: "ratio",
        details: { "trials/s": perSecond, "CPU ms per trial": (many.cpuSeconds * 1000) / TRIALS },
      },
      {
        name: "trials-memory",
        what: `memory that ${TRIALS} trials take in addition to that of ${FEW}`,
        value: Math.max(0, many.peakMb - few.peakMb),
        bound: { atMost: 64 },
        unit: "MB",
        details: { "peak MB": many.peakMb },
      },
    ];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function run(cwd: string, attempts: number): Promise<Measured> {
  const flags = [
    "--agent",
    "oracle",
    "--attempts",
    String(attempts),
    "-n",
    "4",
    "--reporter",
    "jsonl=out.jsonl",
  ];
  const measured = await measureProgram([PROGRAM, "tasks", "run", "tasks", ...flags], { cwd });
  if (measured.code !== 0) {
    throw new Error(`proctor tasks run ended with ${measured.code}: ${measured.output.slice(-500)}`);
  }
  return measured;
}
