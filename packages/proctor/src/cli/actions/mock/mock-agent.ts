// `proctor mock agent`: serves recordings as an agent, and shows each task it was given.
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { MockAgentFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockAgentReport } from "./mock-agent-report.ts";

export async function mockAgent(
  recording: string,
  flags: MockAgentFlags,
  { io, composition }: CommandContext,
): Promise<number> {
  if (flags.stdio === true && flags.json === true) {
    throw new ProctorError(
      "USAGE",
      "with --stdio, stdout is what the agent says\nleave out --json: the run that drives it shows everything",
    );
  }
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
  const code = await composition.serveMockAgent({
    ...options,
    onReady: (info) => report.ready(info),
    onTask: (task) => report.task(task),
  });
  report.end();
  return code;
}
