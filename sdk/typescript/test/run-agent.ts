// Starts the program of an agent as a driver would, and parses its output.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

export const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
export const EXAMPLE = fileURLToPath(new URL("../../../examples/sdk-typescript/agent.mjs", import.meta.url));
const BEHAVIOURS = fileURLToPath(new URL("agents/behaviours.mjs", import.meta.url));

export interface Message {
  [name: string]: unknown;
  task_id?: string;
  status?: string;
  error?: string | null;
  error_code?: string;
  error_details?: { field?: string };
  artifacts?: Record<string, unknown>[];
  metrics?: Record<string, number>;
  payload?: Record<string, unknown>;
  sequence?: number;
}

export interface Agent {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the text has appeared on that stream. Rejects when the program ends first. */
  seen: (stream: "stdout" | "stderr", text: string) => Promise<void>;
  ended: Promise<Ended>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The response on stdout; an empty object when stdout holds none. */
  response: Message;
  events: Message[];
}

const running = new Set<Agent["child"]>();

afterEach(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
});

export function startAgent(args: readonly string[] = [], program: string = BEHAVIOURS): Agent {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  running.add(child);
  child.stdin.on("error", () => undefined);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => (output[name] += chunk));
  }
  const ended = once(child, "close").then(([code]): Ended => {
    running.delete(child);
    const events = output.stderr.split("\n").filter((line) => line.includes('"event_type"'));
    return {
      code: code as number | null,
      ...output,
      response: (output.stdout.startsWith("{") ? JSON.parse(output.stdout) : {}) as Message,
      events: events.map((line) => JSON.parse(line) as Message),
    };
  });
  return {
    child,
    ended,
    async seen(stream, text) {
      while (!output[stream].includes(text)) {
        if (!running.has(child)) throw new Error(`ended before "${text}": ${output.stderr}`);
        await Promise.race([once(child[stream], "data"), ended]);
      }
    },
  };
}

/** Runs one task over stdin and stdout. */
export function runOnce(input: string | object, program?: string): Promise<Ended> {
  const { child, ended } = startAgent([], program);
  child.stdin.end(typeof input === "string" ? input : `${JSON.stringify(input)}\n`);
  return ended;
}

export function request(description: string, more: object = {}): Record<string, unknown> & { task: object } {
  return { version: "1.0", task_id: TASK_ID, task: { description }, ...more };
}
