// A suite of 10,000 cases, 10 runs each: the memory it takes, and how fast its 100,000 runs are judged anew. In a process of its
// own, because memory is measured from the outside.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureProgram } from "./measured-program.ts";
import type { Result } from "./measure.ts";

const CHILD = fileURLToPath(new URL("./suite-scale-child.ts", import.meta.url));

interface Measured {
  peakMb: number;
  runsPerSecond: number;
  rescoredPerSecond: number;
  rescorePeakMb: number;
}

export async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-suite-scale-"));
  try {
    const run = await child(folder, "run");
    const rescore = await child(folder, "rescore");
    return [
      {
        name: "suite-memory",
        what: "peak memory of a process that runs 10,000 cases × 10 runs, hub, store and reports included",
        value: run.peakMb,
        bound: { atMost: 250 },
        unit: "MB",
        details: { "runs/s": run.runsPerSecond },
      },
      {
        name: "rescore",
        what: "runs judged anew per second, of 100,000, against 5,000",
        value: rescore.rescoredPerSecond / 5000,
        bound: { atLeast: 1 },
        unit: "ratio",
        details: { "runs/s": rescore.rescoredPerSecond, "peak MB": rescore.rescorePeakMb },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function child(folder: string, part: "run" | "rescore"): Promise<Measured> {
  const { code, output } = await measureProgram(["--import", "tsx", CHILD, folder, part], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  if (code !== 0) throw new Error(`the suite ended with ${code}: ${output.slice(-500)}`);
  return JSON.parse(last) as Measured;
}
