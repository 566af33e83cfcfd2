// Starts bridge-program.ts in a network namespace, waits until it listens, and ends it.
import { spawn } from "node:child_process";
import { ProctorError } from "../../core/errors.ts";
import { ownProgram } from "../../runtime/own-program.ts";
import { signalGroup } from "../../runtime/processes/signal.ts";

interface BridgeRequest {
  enter: readonly string[];
  /** The directory that holds the sockets. */
  dir: string;
  /** Ports inside, 0 for any, each with the name of its socket. */
  listeners: readonly (readonly [port: number, socket: string])[];
  signal?: AbortSignal;
}

interface Bridge {
  /** The ports that are listened on, in the order of the request. */
  ports: readonly number[];
  close(): Promise<void>;
}

const START_MS = 20_000;
const END_MS = 1000;
const MAX_TEXT = 4000;

/** Throws ENVIRONMENT_UNAVAILABLE when it does not come up. */
export async function startBridge({ enter, dir, listeners, signal }: BridgeRequest): Promise<Bridge> {
  const program = [
    process.execPath,
    ...ownProgram("bridge-program", import.meta.url),
    JSON.stringify(listeners),
  ];
  const [file = "", ...args] = [...enter, ...program];
  const child = spawn(file, args, {
    cwd: dir,
    // The bridge gets none of our variables but PATH, by which the programs are found.
    env: { PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin" },
    // Detached, so that Ctrl-C does not reach the bridge, which is ended with the environment.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A broken pipe means that the bridge has ended, which "exit" reports.
  child.stdin.on("error", () => {});
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-MAX_TEXT)));
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      errors ||= error.message;
      if (child.pid === undefined) resolve();
    });
  });

  async function close(): Promise<void> {
    child.stdin.destroy();
    const timer = setTimeout(() => kill(child.pid), END_MS);
    await gone;
    clearTimeout(timer);
    // Kills what it may have started, and the program that entered the namespace.
    kill(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  }

  try {
    const line = await firstLine(child.stdout, gone, signal);
    if (line === undefined) {
      const why = errors.trim() || "it does not answer";
      throw new ProctorError(
        "ENVIRONMENT_UNAVAILABLE",
        `the environment's network could not be connected: ${why}`,
      );
    }
    // Written by bridge-program.ts.
    return { ports: JSON.parse(line) as number[], close };
  } catch (error) {
    kill(child.pid);
    await close();
    throw error;
  }
}

/** Undefined when the program ends, or takes too long, before it writes a line. */
async function firstLine(
  stream: NodeJS.ReadableStream,
  gone: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  let text = "";
  let finish = (_line?: string): void => {};
  let fail = (_reason: unknown): void => {};
  const line = new Promise<string | undefined>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const onAbort = (): void => fail(signal?.reason);
  const timer = setTimeout(() => finish(), START_MS);
  stream.on("data", (chunk: Buffer) => {
    text = `${text}${chunk.toString()}`.slice(0, MAX_TEXT);
    if (text.includes("\n")) finish(text);
  });
  void gone.then(() => finish());
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await line;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function kill(pid: number | undefined): void {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
}
