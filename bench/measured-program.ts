// Runs a Node program to its end and returns the CPU time and memory that it and the Node programs that it started have used.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Measured {
  cpuSeconds: number;
  /** Peak memory of the largest of the processes, in MB. */
  peakMb: number;
  wallSeconds: number;
  code: number | null;
  output: string;
}

const REPORT = new URL("./cpu-report.mjs", import.meta.url).href;

export async function measureProgram(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-cpu-"));
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env, NODE_OPTIONS: `--import ${REPORT}`, PROCTOR_BENCH_USE: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    // Each process has written a file here (cpu-report.mjs).
    const used = readdirSync(folder).map(
      (name) =>
        JSON.parse(readFileSync(join(folder, name), "utf8")) as Pick<Measured, "cpuSeconds" | "peakMb">,
    );
    const cpuSeconds = used.reduce((sum, one) => sum + one.cpuSeconds, 0);
    const peakMb = Math.max(0, ...used.map((one) => one.peakMb));
    return { cpuSeconds, peakMb, wallSeconds: (performance.now() - startedAt) / 1000, code, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
