// Plays the recording of an ATP agent: the driver of its transport, as it is, with the recording in the place of the process or
// the connection. So garbage, violations and missing responses mean what they meant.
import { parseAddress } from "../../../core/address.ts";
import { failure } from "../../../core/failure.ts";
import type {
  AgentDriver,
  AgentEnd,
  AgentReport,
  AgentSession,
  Job,
  StopSignals,
} from "../../../core/ports/driver.ts";
import type { Recording, RecordingHeader } from "../../../core/recording.ts";
import { callTool } from "./call-tool.ts";
import { createScript, type Script } from "./script.ts";

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
  const { header } = recording;
  const cancel = new AbortController();
  const stop = (): void => cancel.abort();
  const script = createScript(recording, {
    signals,
    taskId: job.runId,
    callTool: (call) =>
      callTool(call, { taskId: job.runId, endpoint: job.context.tools_endpoint }, signals.kill),
    onStop: stop,
  });
  const open = Object.hasOwn(PLAYERS, header.transport) ? PLAYERS[header.transport] : undefined;
  if (open === undefined) {
    const message = `it was recorded over ${JSON.stringify(header.transport.slice(0, 64))}, which ATP does not know`;
    return yield { kind: "end", end: { status: "failed", failure: failure("RECORDING_UNUSABLE", message) } };
  }
  const driver = await open(script);
  signals.cancel.addEventListener("abort", stop);
  if (signals.cancel.aborted) stop();
  try {
    const spec = { ...job.spec, ...recordedPlace(header) };
    const session = driver.open({ ...job, spec }, { cancel: cancel.signal, kill: signals.kill });
    for await (const report of session) {
      yield report.kind === "end" ? { kind: "end", end: endOf(report.end, script) } : report;
    }
  } finally {
    signals.cancel.removeEventListener("abort", stop);
  }
}

/** Where the platform ended the recorded run, its recorded end counts; a recording without an end cannot say how it ended. */
function endOf(end: AgentEnd, { stopped, left, unfinished, end: recorded }: Script): AgentEnd {
  if (left || (!stopped && !(unfinished && isSilence(end)))) return end;
  if (recorded) {
    const { status, failure: reason } = recorded;
    const { failure: _, ...rest } = end;
    return { ...rest, status, ...(reason && { failure: reason }) };
  }
  return {
    status: "failed",
    failure: failure("RECORDING_UNUSABLE", "the recording was cut off before its end"),
  };
}

/** The failures that drivers report for an agent that says nothing more. */
const SILENCES: ReadonlySet<string> = new Set([
  "NO_RESPONSE",
  "CONNECTION_LOST",
  "CANCELLED",
  "INTERNAL_ERROR",
]);

function isSilence({ failure: reason }: AgentEnd): boolean {
  return reason !== undefined && SILENCES.has(reason.code);
}

/** The address of the recorded agent, for the messages of failures. */
function recordedPlace({ agent, transport }: RecordingHeader): { transport: string; url: string } {
  const fallback = `${transport}://recorded:1`;
  try {
    return { transport, url: parseAddress(agent).url ?? fallback };
  } catch {
    return { transport, url: fallback };
  }
}
