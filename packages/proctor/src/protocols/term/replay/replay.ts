// Plays the recording of a terminal agent: the loop as it is, with the recording in the place of the agent. Its commands run in the
// terminal of this run; where there is none, what came of them is played as well.
import { failure } from "../../../core/failure.ts";
import type { AgentEnd, AgentReport, AgentSession, Job, StopSignals } from "../../../core/ports/driver.ts";
import type { Recording } from "../../../core/recording.ts";
import { createProcessSeat } from "../agent/process-seat.ts";
import { openSession } from "../session.ts";
import { createWireNotes } from "../wire-notes.ts";
import { playAgent, type PlayedAgent } from "./play-agent.ts";
import { playTerminal } from "./played-terminal.ts";

const TRANSPORTS: ReadonlySet<string> = new Set(["stdio", "builtin"]);

export function replay(recording: Recording, job: Job, signals: StopSignals): AgentSession {
  return { [Symbol.asyncIterator]: () => perform(recording, job, signals) };
}

async function* perform(recording: Recording, job: Job, signals: StopSignals): AsyncGenerator<AgentReport> {
  const { header } = recording;
  if (!TRANSPORTS.has(header.transport)) {
    const message = `it was recorded over ${JSON.stringify(header.transport.slice(0, 64))}, which term does not know`;
    return yield { kind: "end", end: { status: "failed", failure: failure("RECORDING_UNUSABLE", message) } };
  }
  const cancel = new AbortController();
  const stop = (): void => cancel.abort();
  signals.cancel.addEventListener("abort", stop);
  if (signals.cancel.aborted) stop();
  const played = playAgent(recording, stop);
  try {
    const session = openSession(
      job,
      { cancel: cancel.signal, kill: signals.kill },
      {
        takeSeat: ({ reports, settings }) =>
          Promise.resolve(
            createProcessSeat({
              channel: played.channel,
              reports,
              notes: createWireNotes(job, reports),
              createAlarm: played.createAlarm,
              responseMs: settings.responseMs,
              lenient: settings.lenient,
            }),
          ),
        ...(job.terminal === undefined && { terminal: playTerminal(recording) }),
      },
    );
    for await (const report of session) {
      if (report.kind !== "end") yield report;
      else yield { kind: "end", end: endOf(report.end, played, recording, signals) };
    }
  } finally {
    signals.cancel.removeEventListener("abort", stop);
  }
}

/** Returns the recorded end where the platform ended the recorded run; a recording without an end cannot say how it ended. */
function endOf(
  end: AgentEnd,
  played: PlayedAgent,
  { end: recorded }: Recording,
  signals: StopSignals,
): AgentEnd {
  if (signals.cancel.aborted || signals.kill.aborted) return end;
  const silent = end.failure?.code === "NO_RESPONSE" && played.unfinished;
  if (!played.stopped && !silent) return end;
  if (recorded) {
    const { failure: _, ...rest } = end;
    return { ...rest, status: recorded.status, ...(recorded.failure && { failure: recorded.failure }) };
  }
  return {
    status: "failed",
    failure: failure("RECORDING_UNUSABLE", "the recording was cut off before its end"),
  };
}
