// Finds the recording that an address names and hands it to the protocol it was recorded from. Whatever is wrong with it is
// the run's failure.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentSpec } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import { failure } from "../../core/failure.ts";
import type { AgentDriver, AgentReport, AgentSession, Job, StopSignals } from "../../core/ports/driver.ts";
import { QUESTION_KINDS } from "../../core/question.ts";
import type { Recording } from "../../core/recording.ts";
import type { DriverOptions } from "../protocol.ts";
import { readRecording } from "./read-recording.ts";

export function createReplayDriver({ replayerOf }: DriverOptions): AgentDriver {
  return {
    // What the recorded agent asked is asked again.
    talks: { asks: QUESTION_KINDS },
    open(job, signals) {
      let played: AgentSession | undefined;
      return {
        // A question comes out of what is played, so that it is played by then.
        answer: async (questionId, answer) => played?.answer?.(questionId, answer),
        [Symbol.asyncIterator]: () => perform(job, signals, replayerOf, (session) => (played = session)),
      };
    },
  };
}

async function* perform(
  job: Job,
  signals: StopSignals,
  replayerOf: DriverOptions["replayerOf"],
  onPlay: (session: AgentSession) => void,
): AsyncGenerator<AgentReport> {
  let recording: Recording;
  try {
    recording = await readRecording(pathOf(job.spec));
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    return yield unusable(error.message);
  }
  const { protocol } = recording.header;
  const lost = recording.entries.find(({ channel }) => channel === "dropped");
  if (lost) return yield unusable("the run said more than a recording holds, so this one is not complete");
  const replay = replayerOf?.(protocol);
  if (replay === undefined) {
    return yield unusable(
      protocol === "replay"
        ? "it is the recording of a replay\nrecord the agent itself"
        : `it is the recording of an agent that speaks ${JSON.stringify(protocol.slice(0, 64))}, which cannot be replayed`,
    );
  }
  const session = replay(recording, job, signals);
  onPlay(session);
  yield* session;
}

/** Returns a URL when it begins like one; otherwise a path as it is written. */
function pathOf({ url = "", cwd = "." }: AgentSpec): string {
  if (!url.startsWith("file:///")) return resolve(cwd, url.replace(/^file:/, ""));
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new ProctorError("INVALID_REQUEST", "the recording's URL names no file", { cause });
  }
}

function unusable(message: string): AgentReport {
  return { kind: "end", end: { status: "failed", failure: failure("RECORDING_UNUSABLE", message) } };
}
