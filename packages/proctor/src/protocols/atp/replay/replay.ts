// Plays the recording of an ATP agent: the driver of its transport, as it is, with the recording in the place of the process or
// the connection. So garbage, violations and missing responses mean what they meant.
import { failure } from "../../../core/failure.ts";
import type { AgentDriver, AgentReport, AgentSession, Job, StopSignals } from "../../../core/ports/driver.ts";
import type { Recording } from "../../../core/recording.ts";
import { playRecording } from "../../play-recording.ts";
import type { Script } from "../../recorded-script.ts";
import { callTool } from "./call-tool.ts";

/** Loaded when needed, like the drivers themselves. */
const PLAYERS: Record<string, (script: Script) => Promise<AgentDriver>> = {
  stdio: async (script) => (await import("./play-stdio.ts")).playStdio(script),
  http: async (script) => (await import("./play-http.ts")).playHttp(script),
  https: async (script) => (await import("./play-http.ts")).playHttp(script),
  ws: async (script) => (await import("./play-websocket.ts")).playWebSocket(script),
  wss: async (script) => (await import("./play-websocket.ts")).playWebSocket(script),
  grpc: async (script) => (await import("./play-grpc.ts")).playGrpc(script),
};

export function replay(recording: Recording, job: Job, signals: StopSignals): AgentSession {
  return { [Symbol.asyncIterator]: () => perform(recording, job, signals) };
}

async function* perform(recording: Recording, job: Job, signals: StopSignals): AsyncGenerator<AgentReport> {
  const { transport } = recording.header;
  const open = Object.hasOwn(PLAYERS, transport) ? PLAYERS[transport] : undefined;
  if (open === undefined) {
    const message = `it was recorded over ${JSON.stringify(transport.slice(0, 64))}, which ATP does not know`;
    return yield { kind: "end", end: { status: "failed", failure: failure("RECORDING_UNUSABLE", message) } };
  }
  yield* playRecording(recording, job, signals, {
    open,
    callTool: (call) =>
      callTool(call, { taskId: job.runId, endpoint: job.context.tools_endpoint }, signals.kill),
    unnamedUrl: `${transport}://recorded:1`,
  });
}
