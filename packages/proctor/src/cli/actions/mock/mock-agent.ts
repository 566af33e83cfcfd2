// `proctor mock agent`: serves recordings as an agent, and shows each task it was given. Scripts, and recordings of A2A agents, which are
// scripts, are mock-scripted-agent.ts.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { MockAgentFlags } from "./flags.ts";
import { messageOf } from "../../../core/message-of.ts";
import type { CommandContext } from "../../compose/compose.ts";
import type { RecordedScript } from "../../compose/recorded-script.ts";
import { field } from "../../terminal/run-summary.ts";
import { createScreen } from "../../terminal/screen.ts";
import { ofRecordedAgent } from "./double-requests.ts";
import { createMockAgentReport } from "./mock-agent-report.ts";
import { openAnnouncer } from "./open-announcer.ts";

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
    if (flags.saveScript !== undefined) throw noScript(file ?? "no file");
    return (await import("./mock-scripted-agent.ts")).mockScriptedAgent(file, flags, context);
  }
  const recorded = await composition.recordedScript(resolve(io.cwd, file), { speed: flags.speed });
  if (flags.saveScript !== undefined) {
    if (!recorded) throw noScript(file);
    return saveScript(flags.saveScript, recorded, context);
  }
  if (recorded) {
    return (await import("./mock-scripted-agent.ts")).mockScriptedAgent(file, flags, context, recorded);
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
  const announcer = await openAnnouncer(context, flags, { kind: "agent", name: recording });
  const code = await composition.serveMockAgent({
    ...options,
    onReady(info) {
      report.ready(info);
      announcer?.start(info.addresses[0] ?? "");
    },
    onTask(task) {
      report.task(task);
      announcer?.tell(ofRecordedAgent(task, new Date()));
    },
  });
  await announcer?.close();
  report.end();
  return code;
}

async function saveScript(name: string, { text }: RecordedScript, { io }: CommandContext): Promise<number> {
  try {
    // A file that is there already may be the user's work.
    await writeFile(resolve(io.cwd, name), text, { flag: "wx" });
  } catch (cause) {
    const next = "name a file that can be written and does not exist";
    throw new ProctorError("USAGE", `--save-script ${name}: ${messageOf(cause)}\n${next}`, { cause });
  }
  const screen = createScreen(io);
  const tick = screen.paint.green("✓");
  screen.print(`${tick} saved ${name}`, ...field("try", [`proctor mock agent ${name}`], screen.paint));
  return 0;
}

function noScript(what: string): ProctorError {
  return new ProctorError(
    "USAGE",
    `--save-script is for recordings of agents that speak A2A, and ${what} is none\nrecord one, with: proctor run --agent a2a+http://… --record <file>`,
  );
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
