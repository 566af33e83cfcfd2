// `proctor mock agent` with a script, a pack, or nothing but what messages say: served until it is told to stop.
import { whenAborted } from "../../core/when-aborted.ts";
import { speakStdio, type Pipes } from "../../doubles/agent/speak-stdio.ts";
import { createAtpFace } from "../../doubles/scripted/atp-face.ts";
import type { CapturedRequest } from "../../doubles/scripted/captured-requests.ts";
import { openScriptedAgent, type ScriptedAgentOptions } from "./open-scripted-agent.ts";

export type ScriptedAgentCall = CapturedRequest;

export interface ScriptedAgentReady {
  /** Addresses of the agent, as `--agent` takes them. */
  addresses: readonly string[];
  cardUrl: string;
  controlUrl: string;
  /** Names of the scripts. */
  scripts: readonly string[];
}

export interface ServeScriptedAgentOptions extends ScriptedAgentOptions {
  /** Streams over which one task of ATP is answered, instead of a socket. */
  stdio?: Pipes;
  onReady: (info: ScriptedAgentReady) => void;
  /** Called with every request before it is answered. */
  onCall: (call: ScriptedAgentCall) => Promise<void>;
  signal: AbortSignal;
}

/** Resolves to the exit code. */
export async function serveScriptedAgent(options: ServeScriptedAgentOptions): Promise<number> {
  const { stdio, signal, onReady, onCall, ...rest } = options;
  const started = await openScriptedAgent({
    ...rest,
    ...(stdio !== undefined && { port: 0 }),
    onAnswer: onCall,
  });
  try {
    if (stdio !== undefined)
      return await speakStdio(createAtpFace(started.agent.services.main), stdio, signal);
    const { url, grpcUrl, agent } = started;
    onReady({
      addresses: [
        `a2a+${url}`,
        ...(grpcUrl === undefined ? [] : [`a2a+${grpcUrl}`]),
        `atp+${url}`,
        `atp+${url.replace(/^http/, "ws")}`,
      ],
      cardUrl: `${url}/.well-known/agent-card.json`,
      controlUrl: `${url}/__control`,
      scripts: agent.source.names(),
    });
    await whenAborted(signal);
    return 0;
  } finally {
    await started.close();
  }
}
