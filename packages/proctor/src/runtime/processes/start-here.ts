// Starts a program on this machine, in a process group of its own. Never throws.
import { spawn } from "node:child_process";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";
import { fromChild } from "./from-child.ts";
import { notStarted } from "./not-started.ts";
import { openPipes } from "./pipes.ts";
import { startFailure } from "./start-failure.ts";

export interface StartHere {
  command: readonly string[];
  /** The whole environment of the program: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

export function startHere({ command, env, cwd }: StartHere): EnvironmentProcess {
  const [file = "", ...args] = command;
  const pipes = openPipes();
  try {
    const child = spawn(file, args, {
      env,
      detached: process.platform !== "win32",
      stdio: pipes?.stdio ?? ["pipe", "pipe", "pipe"],
      ...(cwd === undefined ? {} : { cwd }),
    });
    return fromChild(child, {
      ...(pipes === undefined ? {} : { stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr }),
      ...(cwd === undefined ? {} : { cwd }),
    });
  } catch (error) {
    for (const stream of [pipes?.stdin, pipes?.stdout, pipes?.stderr]) stream?.destroy();
    return notStarted(startFailure(file, cwd, error));
  } finally {
    pipes?.handOver();
  }
}
