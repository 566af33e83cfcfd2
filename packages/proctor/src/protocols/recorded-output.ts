// Messages of a recording as what a process put out: for drivers that play a recording in the place of an agent's process.
import type { ProcessOutput } from "../channels/process/open-process.ts";
import type { OutputStream } from "../channels/process/process-output.ts";
import type { RecordedMessage } from "../core/recording.ts";
import type { NotStartedReason } from "../runtime/processes/start-failure.ts";

const REASONS: readonly NotStartedReason[] = ["not-found", "not-executable", "bad-cwd", "other"];

/** Returns a line of stdout or stderr. */
export function recordedLine(message: RecordedMessage): ProcessOutput {
  const { channel, text, encoding, dropped_bytes, name } = message;
  const stream: OutputStream = channel === "stdout" ? "stdout" : "stderr";
  if (dropped_bytes !== undefined) {
    return { kind: "overlong", stream, head: text, droppedBytes: dropped_bytes };
  }
  return {
    kind: "line",
    stream,
    text,
    terminated: name !== "unterminated",
    invalidUtf8: encoding === "lossy",
  };
}

/** Returns why the process did not start. */
export function recordedNotStarted({ text, id }: RecordedMessage): ProcessOutput {
  const reason = REASONS.find((known) => known === id) ?? "other";
  return { kind: "not-started", reason, message: text };
}
