// Whether programs of an environment still run, seen from this machine, which shares its kernel with all of them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

let count = 0;

/** An argument for `sleep` that nobody else uses. */
export function uniqueSeconds(): string {
  return `${100_000 + (process.pid % 100_000)}.${Date.now() % 1_000_000}${count++}`;
}

/** The programs that have this argument. */
export function pidsOf(argument: string): number[] {
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
    return lines
      .filter((line) => line.split(" ").includes(argument))
      .map((line) => Number.parseInt(line, 10));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(argument))
    .map(Number);
}

export function running(argument: string): number {
  return pidsOf(argument).length;
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Resolves when there is none; the test's own time limit ends the wait. */
export async function gone(argument: string): Promise<void> {
  await until(() => running(argument) === 0);
}

export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
}
