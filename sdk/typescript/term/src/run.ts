// Runs an agent: a line in, a line out, until it says that the task is complete or the harness closes the input.
import type { Agent } from "./agent.ts";
import { describeThrown } from "./errors.ts";
import { readLines } from "./read-lines.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";

/** Streams to use in place of stdin and stdout, for tests. */
export interface Streams {
  input: AsyncIterable<Uint8Array | string>;
  write: (line: string) => void | Promise<void>;
}

/**
 * Runs the agent of a program and ends the process. An error ends it with a non-zero exit code and its stack on stderr; it never
 * counts as a finished task. Until then stdout belongs to the protocol: what the agent's code prints goes to stderr.
 */
export async function run(agent: Agent): Promise<never> {
  const write = takeStdout();
  const watch = watchProcess();
  let code = 0;
  try {
    await Promise.race([converse(agent, { input: process.stdin, write }), watch.stopped]);
  } catch (error) {
    code = tell(error);
  }
  watch.end();
  try {
    await agent.cleanup?.();
  } catch (error) {
    code ||= tell(error);
  }
  process.exit(code);
}

/** Runs an agent on the given streams. Throws what the agent throws, and resolves with its last answer. */
export async function runLoop(agent: Agent, streams: Streams): Promise<Response | undefined> {
  let answer: Response | undefined;
  try {
    answer = await converse(agent, streams);
  } catch (error) {
    // The first error is the one that is thrown; an error of cleanup is only printed.
    await Promise.resolve()
      .then(() => agent.cleanup?.())
      .catch(tell);
    throw error;
  }
  await agent.cleanup?.();
  return answer;
}

async function converse(agent: Agent, { input, write }: Streams): Promise<Response | undefined> {
  let response: Response | undefined;
  await agent.setup?.();
  for await (const line of readLines(input)) {
    if (line.trim() === "") continue;
    // A plain JavaScript agent may return anything.
    const answer: unknown = await agent.solve(Request.parse(line));
    if (!(answer instanceof Response))
      throw new TypeError(`solve returned ${kindOf(answer)}, not a Response`);
    response = answer;
    await write(`${response.toLine()}\n`);
    if (response.taskComplete) break;
  }
  return response;
}

class Stopped extends Error {
  readonly code: number;

  constructor(code: number) {
    super("stopped");
    this.code = code;
  }
}

/** Rejects at a signal and at an uncaught error, so that cleanup is called then too. A second signal ends the process. */
function watchProcess(): { stopped: Promise<never>; end: () => void } {
  const events: [string, (error?: unknown) => void][] = [];
  const stopped = new Promise<never>((_, reject) => {
    events.push(
      ["SIGTERM", () => reject(new Stopped(143))],
      ["SIGINT", () => reject(new Stopped(130))],
      ["uncaughtException", reject],
      ["unhandledRejection", reject],
    );
  });
  for (const [name, listener] of events) process.on(name, listener);
  return {
    stopped,
    end() {
      for (const [name, listener] of events) process.off(name, listener);
    },
  };
}

function takeStdout(): (line: string) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on("error", () => undefined); // the callback of each write reports the error
  return (line) =>
    new Promise((resolve, reject) => {
      write(line, (error) => (error ? reject(new Error("the harness is gone")) : resolve()));
    });
}

/** Prints an error and returns the exit code. */
function tell(error: unknown): number {
  if (error instanceof Stopped) return error.code;
  const stack = error instanceof Error && error.stack !== undefined ? `${error.stack}\n` : "";
  process.stderr.write(`${stack}term-sdk: the agent failed: ${describeThrown(error)}\n`);
  return 1;
}

const kindOf = (value: unknown): string => (value === null ? "null" : typeof value);
