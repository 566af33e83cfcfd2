// The processes that a benchmark measures: the built hub on a fresh data directory, or a bare program that prints its port.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROGRAM = fileURLToPath(new URL("../packages/proctor/bin/proctor.js", import.meta.url));
export const FIXTURES = fileURLToPath(new URL("../packages/proctor/test/fixtures/agents/", import.meta.url));
export const EXAMPLE_AGENT = fileURLToPath(new URL("../examples/minimal-node/agent.mjs", import.meta.url));

/** Arguments of Node that run a TypeScript program of this folder on the built program. */
export const TYPESCRIPT = [
  "--import",
  "tsx",
  "--import",
  new URL("./built-program.ts", import.meta.url).href,
];

export interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export interface HubOptions {
  concurrency: number;
  folder?: string;
  /** Content of `proctor.yaml`, written as JSON, which is YAML too. */
  config?: object;
}

/** Starts `proctor up` on a free port, in a fresh directory that is removed at the end, or in a given one that is kept. */
export async function startHub({ concurrency, folder: given, config }: HubOptions): Promise<Server> {
  const folder = given ?? mkdtempSync(join(tmpdir(), "proctor-bench-"));
  if (config) writeFileSync(join(folder, "proctor.yaml"), JSON.stringify(config));
  const args = ["up", "--port", "0", "--concurrency", String(concurrency), "--log", "info"];
  return startProgram(args, folder, given !== undefined);
}

/** Starts `proctor mock agent` with the script on a free port. */
export async function startScriptedAgent(script: object): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  writeFileSync(join(folder, "script.yaml"), JSON.stringify(script));
  return startProgram(["mock", "agent", "script.yaml", "--port", "0"], folder, false);
}

async function startProgram(args: readonly string[], cwd: string, keepsFolder: boolean): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const port = await firstPort(child);
  return server(child, port, () => {
    if (!keepsFolder) rmSync(cwd, { recursive: true, force: true });
  });
}

/** Starts a program of this folder, which prints `port <n>` when it listens. */
export async function startBare(file: string, args: readonly string[] = []): Promise<Server> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  return server(child, await firstPort(child), () => undefined);
}

function server(child: ChildProcess, port: number, cleanUp: () => void): Server {
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      cleanUp();
    },
  };
}

export function firstPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: string): void => {
      text += chunk;
      const found = /(?:127\.0\.0\.1:|port )(\d+)/.exec(text);
      if (found === null) return;
      // Further output is read and dropped, so that the pipe does not fill.
      child.stdout?.off("data", read).resume();
      resolve(Number(found[1]));
    };
    child.stdout?.setEncoding("utf8").on("data", read);
    child.once("exit", () => reject(new Error(`the server ended before it listened: ${text}`)));
  });
}

/** Returns the CPU seconds that a process has used. Works on Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the resident memory of a process in MB. Works on Linux only. */
export function residentMb(pid: number): number {
  return memoryMb(pid, "VmRSS");
}

/** Returns the peak resident memory of a process in MB. Works on Linux only. */
export function peakMb(pid: number): number {
  return memoryMb(pid, "VmHWM");
}

function memoryMb(pid: number, field: string): number {
  const kb = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
