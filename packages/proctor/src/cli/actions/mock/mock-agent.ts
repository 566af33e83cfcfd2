// `proctor mock agent`: serves recordings as an agent, and shows each task it was given. Scripts are mock-scripted-agent.ts.
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { MockAgentFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockAgentReport } from "./mock-agent-report.ts";

export async function mockAgent(
  file: string | undefined,
  flags: MockAgentFlags,
  context: CommandContext,
): Promise<number> {
  const { io, composition } = context;
  if (flags.stdio === true && flags.json === true) {
    throw new ProctorError(
      "USAGE",
      "with --stdio, stdout is what the agent says\nleave out --json: the run that drives it shows everything",
    );
  }
  io.signal.throwIfAborted();
  if (file === undefined || !(await composition.isRecording(resolve(io.cwd, file)))) {
    return (await import("./mock-scripted-agent.ts")).mockScriptedAgent(file, flags, context);
  }
  refuseFlags(flags);
  const recording = file;
  const report = createMockAgentReport(createScreen(io), { json: flags.json === true, title: recording });
  const options = {
    path: resolve(io.cwd, recording),
    faults: flags.fault ?? [],
    seed: flags.seed ?? 1,
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

/** Flags that only a script understands. */
function refuseFlags({ pack, profile, patch, grpcPort, log }: MockAgentFlags): void {
  const given = Object.entries({
    "--pack": pack,
    "--profile": profile,
    "--patch": patch,
    "--grpc-port": grpcPort,
    "--log": log,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length === 0) return;
  throw new ProctorError(
    "USAGE",
    `a recording is served without ${given.join(", ")}\nleave it out, or serve a script`,
  );
}
