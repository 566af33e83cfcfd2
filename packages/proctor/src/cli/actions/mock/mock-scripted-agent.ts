// `proctor mock agent` with a script or without any file: serves it over A2A and ATP, and shows each request.
import { resolve } from "node:path";
import type { MockAgentFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import type { RecordedScript } from "../../compose/recorded-script.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createScriptedAgentReport } from "./scripted-agent-report.ts";
import { ofScriptedAgent } from "./double-requests.ts";
import { serveCalls } from "./serve-calls.ts";

export async function mockScriptedAgent(
  file: string | undefined,
  flags: MockAgentFlags,
  context: CommandContext,
  recorded?: RecordedScript,
): Promise<number> {
  const { io, composition } = context;
  const { profile, patch, grpcPort } = flags;
  const options = {
    ...(file !== undefined && !recorded && { script: resolve(io.cwd, file), displayName: file }),
    ...(recorded && { recorded: recorded.script }),
    env: io.env,
    packs: flags.pack ?? [],
    faults: flags.fault ?? [],
    port: flags.port,
    ...(flags.seed !== undefined && { seed: flags.seed }),
    ...(profile !== undefined && { profile }),
    ...(patch !== undefined && { patch }),
    ...(grpcPort !== undefined && { grpcPort }),
  };
  if (flags.stdio === true) {
    const { stdin, stdout, stderr, signal } = io;
    return composition.serveScriptedAgent({
      ...options,
      signal,
      onReady: () => undefined,
      onCall: () => Promise.resolve(),
      stdio: {
        stdin,
        writeOut: (line) => void stdout.write(`${line}\n`),
        writeError: (line) => void stderr.write(`${line}\n`),
      },
    });
  }
  const title = file ?? (flags.pack === undefined ? "scripted agent" : `pack ${flags.pack.join(", ")}`);
  const report = createScriptedAgentReport(createScreen(io), { json: flags.json === true, title });
  const double = {
    kind: "agent" as const,
    name: title,
    addressOf: ({ addresses }: { addresses: readonly string[] }) => addresses[0] ?? "",
    toRequest: ofScriptedAgent,
  };
  return serveCalls(context, flags, double, report, async (serving) => {
    await composition.serveScriptedAgent({ ...options, ...serving });
  });
}
