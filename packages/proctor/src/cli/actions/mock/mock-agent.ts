// `proctor mock agent`: serves recordings as an agent, and shows each task it was given.
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { MockAgentFlags } from "../../commands/mock.ts";
import type { CommandContext } from "../../context.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockAgentReport, type MockAgentReady, type MockAgentTask } from "./mock-agent-report.ts";

export interface ServeMockAgentOptions {
  /** A file, or a folder of them. */
  path: string;
  faults: readonly string[];
  seed: number;
  speed: number;
  port: number;
  onReady: (info: MockAgentReady) => void;
  onTask: (task: MockAgentTask) => void;
  /** Instead of a socket: one task over these. */
  stdio?: {
    stdin: AsyncIterable<Uint8Array | string>;
    writeOut: (line: string) => void;
    writeError: (line: string) => void;
  };
  /** Aborted to stop. */
  signal: AbortSignal;
}

/** Resolves to the exit code when it has stopped. */
export type ServeMockAgent = (options: ServeMockAgentOptions) => Promise<number>;

export async function mockAgent(
  recording: string,
  flags: MockAgentFlags,
  { io, parts }: CommandContext,
): Promise<number> {
  if (flags.stdio === true && flags.json === true) {
    throw new ProctorError(
      "USAGE",
      "with --stdio, stdout is what the agent says\nleave out --json: the run that drives it shows everything",
    );
  }
  const composition = await parts.compose();
  io.signal.throwIfAborted();
  const report = createMockAgentReport(createScreen(io), { json: flags.json === true, title: recording });
  const options = {
    path: resolve(io.cwd, recording),
    faults: flags.fault ?? [],
    seed: flags.seed,
    speed: flags.speed,
    port: flags.port,
    signal: io.signal,
  };
  if (flags.stdio === true) {
    const { stdin, stdout, stderr } = io;
    return composition.serveMockAgent({
      ...options,
      onReady: () => undefined,
      onTask: () => undefined,
      stdio: {
        stdin,
        writeOut: (line) => void stdout.write(`${line}\n`),
        writeError: (line) => void stderr.write(`${line}\n`),
      },
    });
  }
  try {
    const code = await composition.serveMockAgent({
      ...options,
      onReady: (info) => report.ready(info),
      onTask: (task) => report.task(task),
    });
    report.end();
    return code;
  } catch (error) {
    throw atThisCommand(error);
  }
}

/** The socket's own messages name the hub's settings. */
function atThisCommand(error: unknown): unknown {
  if (!ProctorError.is(error) || error.code !== "CONFIG_INVALID") return error;
  return new ProctorError(error.code, error.message.replace(" (API_PORT)", ""), { cause: error });
}
