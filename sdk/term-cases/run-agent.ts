// Starts an agent as a harness would, and sends it lines.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll } from "vitest";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Agent {
  child: ChildProcessWithoutNullStreams;
  /** Resolves with all lines of stdout so far, once there are `count` of them. */
  lines: (count: number) => Promise<string[]>;
  ended: Promise<Ended>;
}

const running = new Set<ChildProcessWithoutNullStreams>();

afterAll(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
});

export function startAgent(command: readonly string[], env: Record<string, string> = {}): Agent {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: { PATH: process.env["PATH"], ...env } });
  running.add(child);
  child.stdin.on("error", () => undefined);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code]: unknown[]): Ended => {
    running.delete(child);
    return { code: code as number | null, stdout, stderr };
  });
  return {
    child,
    ended,
    async lines(count) {
      while (stdout.split("\n").length <= count) {
        const more = await Promise.race([once(child.stdout, "data"), ended]);
        if (!Array.isArray(more)) throw new Error(`ended before line ${count}: ${JSON.stringify(more)}`);
      }
      return stdout.split("\n").slice(0, -1);
    },
  };
}

/** Sends many conversations to one agent, and starts another one when it has ended. */
export function createTalk(start: () => Agent): { ask: (lines: readonly string[]) => Promise<unknown[]> } {
  let agent: Agent | undefined;
  let heard = 0;
  return {
    async ask(lines) {
      if (agent === undefined || agent.child.exitCode !== null) {
        agent = start();
        heard = 0;
      }
      agent.child.stdin.write(lines.map((line) => `${line}\n`).join(""));
      const all = await agent.lines(heard + lines.length);
      const answers = all.slice(heard);
      heard = all.length;
      return answers.map((line): unknown => JSON.parse(line));
    },
  };
}

/** Runs an agent that gets all lines at once and then the end of the input. */
export async function runAgent(
  command: readonly string[],
  env: Record<string, string>,
  lines: readonly string[],
): Promise<Ended> {
  const { child, ended } = startAgent(command, env);
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  return ended;
}

export const parseLines = (text: string): unknown[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
