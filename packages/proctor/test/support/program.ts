// The built program as users start it: in a folder, with an environment of its own, ended by itself or by a signal.
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEveryFile } from "./closing.ts";

/** What a failing test left running is ended with its file. */
const alive = new Set<StartedProgram>();
afterEveryFile(async () => {
  for (const { child, ended } of alive) {
    child.kill("SIGTERM");
    await ended;
  }
});

export const PROGRAM = fileURLToPath(new URL("../../bin/proctor.js", import.meta.url));

export interface ProgramOptions {
  folder: string;
  /** Added to a clean environment: nothing of the test runner's own reaches the program. */
  env?: Record<string, string>;
  /** Text for its stdin, which is empty otherwise. */
  input?: string;
  /** Arguments of Node.js that start the program; the built one as users have it when absent. */
  start?: readonly string[];
  /** As another user; only root can. */
  uid?: number;
  /** No file may grow beyond so many bytes: a full disk that harms nobody else. */
  maxFileBytes?: number;
  /** The network namespace in which it lives. */
  machine?: string;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface StartedProgram {
  child: ChildProcess;
  pid: number;
  stdout: () => string;
  stderr: () => string;
  /** Resolves when everything it printed has been read, too. */
  ended: Promise<Ended>;
  /** Resolves with the first match in what it prints on stdout; rejects when it ends before. */
  printed: (pattern: RegExp) => Promise<RegExpExecArray>;
}

export function startProgram(args: readonly string[], options: ProgramOptions): StartedProgram {
  const [file = "", ...rest] = commandLine([...(options.start ?? [PROGRAM]), ...args], options);
  const child = spawn(file, rest, {
    cwd: options.folder,
    env: { PATH: process.env["PATH"], HOME: options.folder, NO_COLOR: "1", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  // A program that does not read its input may be gone before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const program: StartedProgram = {
    child,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stdout);
          if (found) resolve(found);
        };
        child.stdout.on("data", look);
        look();
        ended.then(({ code }) => {
          look();
          reject(
            new Error(`it ended with ${code} before it printed ${String(pattern)}:\n${stdout}${stderr}`),
          );
        }, reject);
      }),
  };
  alive.add(program);
  const forget = (): void => void alive.delete(program);
  ended.then(forget, forget);
  return program;
}

export function runProgram(args: readonly string[], options: ProgramOptions): Promise<Ended> {
  return startProgram(args, options).ended;
}

function commandLine(args: readonly string[], { maxFileBytes, machine }: ProgramOptions): string[] {
  const there = machine === undefined ? [] : ["ip", "netns", "exec", machine];
  const program = [...there, process.execPath, ...args];
  if (maxFileBytes === undefined) return program;
  // In a POSIX shell the limit counts blocks of 512 bytes.
  return ["sh", "-c", `ulimit -f ${Math.ceil(maxFileBytes / 512)}; exec "$@"`, "sh", ...program];
}
