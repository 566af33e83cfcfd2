// Plays a recording with a protocol's own driver, in the place of its agent: what was received then is received now, and means the same.
import { parseAddress } from "../core/address.ts";
import { failure } from "../core/failure.ts";
import type { AgentDriver, AgentEnd, AgentReport, Job, StopSignals } from "../core/ports/driver.ts";
import type { RecordedCall, Recording, RecordingHeader } from "../core/recording.ts";
import { createScript, type Script } from "./recorded-script.ts";

export interface PlayOptions {
  /** Resolves with the driver, with the script in place of its process or its connection. */
  open(script: Script): Promise<AgentDriver>;
  /** Makes a recorded call of a tool again. */
  callTool(call: RecordedCall): Promise<void>;
  /** The URL of an agent that was recorded under a name. */
  unnamedUrl: string;
}

export async function* playRecording(
  recording: Recording,
  job: Job,
  signals: StopSignals,
  options: PlayOptions,
): AsyncGenerator<AgentReport> {
  const cancel = new AbortController();
  const stop = (): void => cancel.abort();
  const script = createScript(recording, {
    signals,
    taskId: job.runId,
    callTool: (call) => options.callTool(call),
    onStop: stop,
  });
  const driver = await options.open(script);
  signals.cancel.addEventListener("abort", stop);
  if (signals.cancel.aborted) stop();
  try {
    const spec = { ...job.spec, ...recordedPlace(recording.header, options.unnamedUrl) };
    const session = driver.open({ ...job, spec }, { cancel: cancel.signal, kill: signals.kill });
    for await (const report of session) {
      yield report.kind === "end" ? { kind: "end", end: endOf(report.end, script) } : report;
    }
  } finally {
    signals.cancel.removeEventListener("abort", stop);
  }
}

/** Returns the recorded end where the platform ended the recorded run; a recording without an end cannot say how it ended. */
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

/** Returns the address of the recorded agent, for the messages of failures. */
function recordedPlace(
  { agent, transport }: RecordingHeader,
  unnamedUrl: string,
): { transport: string; url: string } {
  try {
    return { transport, url: parseAddress(agent).url ?? unnamedUrl };
  } catch {
    return { transport, url: unnamedUrl };
  }
}
