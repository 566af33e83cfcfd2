// What every action is given, and the one way in which it gets a hub. The parts of the program are functions that load
// their files when they are first called: each loads much code, and most commands need few of them.
import type { CliIo } from "../cli-io.ts";
import type { Config } from "../config/load-config.ts";
import type { HubFlags } from "../flags.ts";
import type { OpenHub } from "./open-hub.ts";

export const composition = {
  loadConfig: later(async () => (await import("../config/load-config.ts")).loadConfig),
  openHub: later(async () => (await import("./open-hub.ts")).openHub),
  work: later(async () => (await import("./work.ts")).work),
  serve: later(async () => (await import("./serve.ts")).serve),
  schemes: later(async () => (await import("./protocols.ts")).schemes),
  optionCheck: later(async () => (await import("./protocols.ts")).optionCheck),
  talksOf: later(async () => (await import("./protocols.ts")).talksOf),
  conformance: later(async () => (await import("./protocols.ts")).conformance),
  clientConformance: later(async () => (await import("./client-conformance.ts")).clientConformance),
  gatewayConformance: later(async () => (await import("./gateway-conformance.ts")).gatewayConformance),
  actsConformance: later(async () => (await import("./acts-conformance.ts")).actsConformance),
  encodeResponse: later(async () => (await import("./protocols.ts")).encodeResponse),
  announceDouble: later(async () => (await import("./announce-double.ts")).announceDouble),
  serveMockTools: later(async () => (await import("./serve-mock-tools.ts")).serveMockTools),
  serveMockAgent: later(async () => (await import("./serve-mock-agent.ts")).serveMockAgent),
  openScriptedAgent: later(async () => (await import("./open-scripted-agent.ts")).openScriptedAgent),
  serveScriptedAgent: later(async () => (await import("./serve-scripted-agent.ts")).serveScriptedAgent),
  serveBridge: later(async () => (await import("./serve-bridge.ts")).serveBridge),
  isRecording: later(async () => (await import("./is-recording.ts")).isRecording),
  recordedScript: later(async () => (await import("./recorded-script.ts")).recordedScript),
  serveMockLlm: later(async () => (await import("./serve-mock-llm.ts")).serveMockLlm),
  openOAuthLab: later(async () => (await import("./open-labs.ts")).openOAuthLab),
  serveOAuthLab: later(async () => (await import("./serve-labs.ts")).serveOAuthLab),
  openPushReceiver: later(async () => (await import("./open-labs.ts")).openPushReceiver),
  servePushReceiver: later(async () => (await import("./serve-labs.ts")).servePushReceiver),
  openEnvironments: later(async () => (await import("./serve-environments.ts")).serveEnvironments),
  checkServices: later(async () => (await import("./check-services.ts")).checkServices),
  readGoal: later(async () => (await import("./read-goal.ts")).readGoal),
  moveDatabase: later(async () => (await import("./move-database.ts")).moveDatabase),
  openTraces: later(async () => (await import("./open-traces.ts")).openTraces),
  writeRecording: later(
    async () => (await import("../../doubles/recordings/write-recording.ts")).writeRecording,
  ),
};

/** The parts of the program. Tests replace those that they do not need. */
export type Composition = typeof composition;

export interface CommandContext {
  io: CliIo;
  composition: Composition;
}

/** A command's action, which resolves with the exit code. */
export type Action = (context: CommandContext) => Promise<number>;

/** How the definition of a command passes its action to program.ts. */
export type Execute = (action: Action) => Promise<void>;

export interface HubSession extends OpenHub {
  config: Config;
  composition: Composition;
}

/** Opens the hub to which the flags, the environment and the data directory lead, and closes it whatever happens. */
export async function withHub<T>(
  context: CommandContext,
  flags: HubFlags,
  mode: "read" | "write",
  use: (session: HubSession) => Promise<T>,
): Promise<T> {
  const { io, composition } = context;
  const config = await loadHubConfig(context, flags);
  io.signal.throwIfAborted();
  const open = await composition.openHub(config, mode, io.signal);
  try {
    return await use({ ...open, config, composition });
  } finally {
    await open.close();
  }
}

export function loadHubConfig({ io, composition }: CommandContext, flags: HubFlags): Promise<Config> {
  const { hub, database: databaseUrl, config: file, root: environmentRoot, buildNetwork } = flags;
  const unsafeLocal = flags.unsafeLocal === true ? "true" : undefined;
  return composition.loadConfig({
    cwd: io.cwd,
    env: io.env,
    flags: { hub, databaseUrl, config: file, environmentRoot, buildNetwork, unsafeLocal },
  });
}

function later<A extends unknown[], R>(
  load: () => Promise<(...args: A) => R | Promise<R>>,
): (...args: A) => Promise<R> {
  return async (...args) => (await load())(...args);
}
