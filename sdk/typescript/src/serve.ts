// An agent as a program: chooses the transport by the arguments, and owns the process while the agent is served.
import type { Readable, Writable } from "node:stream";
import { type Mode, parseArguments } from "./parse-arguments.ts";
import { describeThrown } from "./protocol/errors.ts";
import { createAgentServer } from "./server.ts";
import { guardOutput, type OutputGuard } from "./stdio/output-guard.ts";
import { serveStdio } from "./stdio/serve-stdio.ts";
import type { AgentFunction, RunningTask } from "./task/run-task.ts";

/** Each option defaults to that of the process. When a stream or the signal is given, signals and exit code of the process are left alone. */
export interface ServeOptions {
  /** The arguments after the program's name. */
  argv?: readonly string[];
  stdin?: Readable;
  stdout?: Writable;
  stderr?: Writable;
  /** Stops the agent when it aborts, as SIGTERM does. */
  signal?: AbortSignal;
}

/** Milliseconds after the last answer until the process exits, even if the agent left something open. */
const LINGER_MS = 1000;

/**
 * Serves an agent: one task over stdin and stdout or, with `--serve [port|host:port]`, any number over HTTP and WebSocket.
 * Resolves when the task is answered, or the server was stopped by SIGTERM or SIGINT; the process ends soon after.
 */
export async function serve(agent: AgentFunction, options: ServeOptions = {}): Promise<void> {
  const {
    argv = process.argv.slice(2),
    stdin = process.stdin,
    stdout = process.stdout,
    stderr = process.stderr,
  } = options;
  const output = guardOutput(stdout, stderr);
  const tasks = new Set<RunningTask>();
  const owner = [options.stdin, options.stdout, options.stderr, options.signal].every(
    (given) => given === undefined,
  )
    ? ownProcess(output, tasks)
    : undefined;
  const signal = options.signal ?? owner?.signal ?? new AbortController().signal;
  const started = (task: RunningTask): void => {
    const show = output.hide(task.redactor);
    tasks.add(task);
    void task.response.then(() => tasks.delete(task));
    void task.settled.then(show);
  };

  let exitCode = 1;
  try {
    const mode = parseArguments(argv);
    exitCode = await (mode.mode === "serve"
      ? serveOnPort(agent, mode, output, started, signal)
      : serveOnce(agent, stdin, output, started, signal));
  } catch (error) {
    if (!owner) throw error;
    exitCode = error instanceof RangeError ? 2 : 1;
    await output.stderr(describeThrown(error));
  } finally {
    if (owner) owner.leave(exitCode);
    else output.restore();
  }
}

type Started = (task: RunningTask) => void;

async function serveOnce(
  agent: AgentFunction,
  stdin: Readable & { isTTY?: boolean },
  output: OutputGuard,
  started: Started,
  signal: AbortSignal,
): Promise<number> {
  if (stdin.isTTY)
    await output.stderr("Waiting for a request, one line of JSON. With --serve: HTTP and WebSocket.");
  let written = false;
  const respond = async (line: string): Promise<void> => {
    written = await output.stdout(line);
  };
  const response = await serveStdio(agent, { stdin, respond, report: output.stderr, started }, signal);
  // A response means success, whatever its status; 143 is the exit code of a program that SIGTERM ends.
  return response === undefined ? 143 : written ? 0 : 1;
}

async function serveOnPort(
  agent: AgentFunction,
  { host, port }: Extract<Mode, { mode: "serve" }>,
  output: OutputGuard,
  started: Started,
  signal: AbortSignal,
): Promise<number> {
  const server = createAgentServer(agent, { onTask: started });
  const { url } = await server.listen(port, host);
  if (!/^(?:127\.|localhost$|::1$)/.test(host)) {
    await output.stderr(`Anybody who can reach ${host} can use this agent: there is no authentication.`);
  }
  await output.stdout(`listening on ${url}`);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await server.close();
  return 0;
}

interface ProcessOwner {
  readonly signal: AbortSignal;
  leave(exitCode: number): void;
}

/** The first signal stops the agent, the second ends the process. An uncaught error is printed; it fails the task when there is only one. */
function ownProcess(output: OutputGuard, tasks: ReadonlySet<RunningTask>): ProcessOwner {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(143);
    stop.abort();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("uncaughtException", (error: unknown) => {
    process.stderr.write(
      `Uncaught ${error instanceof Error ? (error.stack ?? error.message) : describeThrown(error)}\n`,
    );
    // With several tasks it is unknown which of them threw.
    if (tasks.size === 1) for (const task of tasks) task.fail(error);
  });
  process.once("exit", () => output.restore());
  return {
    signal: stop.signal,
    leave(exitCode) {
      process.exitCode = exitCode;
      setTimeout(() => process.exit(), LINGER_MS).unref();
    },
  };
}
