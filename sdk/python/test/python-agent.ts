// Starts agents written with the Python package as real processes, and speaks to them as a client would.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
/** Reason why tests are skipped on this machine; false where they run. */
export const NO_PYTHON = hasPython ? false : "python3 (3.9 or newer) is not installed here";
// oxlint-disable-next-line no-console -- the reader of the report should know why nothing ran
if (NO_PYTHON !== false) console.warn(`skipped: ${NO_PYTHON}`);

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const AGENT = fileURLToPath(new URL("./fixtures/agent.py", import.meta.url));

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Message = { [name: string]: Json };

export interface Limits {
  read_seconds?: number;
  send_seconds?: number;
  quiet_seconds?: number;
  idle_seconds?: number;
  max_bytes?: number;
  max_tasks?: number;
}

const alive = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of alive) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
});

export interface Started {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Resolves with the first match in the output of the program. Rejects when the program ends first. */
  printed: (stream: "stdout" | "stderr", pattern: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Starts Python with the given arguments. `env` is added to an environment that is otherwise empty. */
export function startPython(
  args: readonly string[],
  limits: Limits = {},
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn("python3", args, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], LIMITS: JSON.stringify(limits), ...env },
  });
  alive.add(child);
  const printed = { stdout: "", stderr: "" };
  const looks = new Set<() => void>();
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
      for (const look of looks) look();
    });
  }
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close").then((values: unknown[]) => {
    alive.delete(child);
    const [code, signal] = values as [number | null, string | null];
    return { code, signal };
  });
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended,
    printed: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(printed[stream]);
          if (found === null) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
        void ended.then(() =>
          reject(new Error(`ended before ${String(pattern)}: ${JSON.stringify(printed)}`)),
        );
      }),
  };
}

export const startAgent = (args: readonly string[] = [], limits: Limits = {}): Started =>
  startPython([AGENT, ...args], limits);

export interface Server extends Started {
  url: string;
  port: number;
}

export async function startServer(limits: Limits = {}): Promise<Server> {
  const started = startAgent(["--serve"], limits);
  const [, url = "", port = ""] = await started.printed(
    "stdout",
    /^listening on (http:\/\/127\.0\.0\.1:(\d+))$/m,
  );
  return { ...started, url, port: Number(port) };
}

export const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";

export function request(description: string, more: Message = {}): Message {
  return { version: "1.0", task_id: TASK_ID, task: { description }, ...more };
}

/** Builds a request that has `input_data`. */
export function requestWith(description: string, input: Message, more: Message = {}): Message {
  return { ...request(description, more), task: { description, input_data: input } };
}

export interface Outcome {
  response: Message;
  events: Message[];
  logs: string[];
  code: number | null;
  stdout: string;
}

/** Runs one task over pipes. Bytes and text are sent as they are, anything else as JSON. */
export async function runStdio(input: Message | string | Uint8Array, limits: Limits = {}): Promise<Outcome> {
  const started = startAgent([], limits);
  started.child.stdin?.end(isBytes(input) ? input : `${JSON.stringify(input)}\n`);
  const { code } = await started.ended;
  return { ...readOutput(started), code };
}

const isBytes = (input: unknown): input is string | Uint8Array =>
  typeof input === "string" || input instanceof Uint8Array;

export function readOutput(started: Started): Omit<Outcome, "code"> {
  const lines = started.stderr().split("\n").filter(Boolean);
  const parsed = lines.map(parseLine);
  const stdout = started.stdout();
  return {
    stdout,
    response: parseLine(stdout.trimEnd()) ?? {},
    events: parsed.filter((event) => event !== undefined),
    logs: lines.filter((_, index) => parsed[index] === undefined),
  };
}

function parseLine(line: string): Message | undefined {
  try {
    // The tests check the fields of the message one by one.
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

/** A raw TCP connection, for clients that break the rules. */
interface RawClient {
  socket: Socket;
  received: () => string;
  until: (pattern: RegExp) => Promise<string>;
  closed: Promise<void>;
}

export async function connectRaw(port: number): Promise<RawClient> {
  const socket = createConnection({ host: "127.0.0.1", port });
  let text = "";
  const looks = new Set<() => void>();
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    for (const look of looks) look();
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  await once(socket, "connect");
  return {
    socket,
    received: () => text,
    closed,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(text)) return;
          looks.delete(look);
          resolve(text);
        };
        looks.add(look);
        look();
        void closed.then(() => reject(new Error(`closed before ${String(pattern)}: ${text}`)));
      }),
  };
}
