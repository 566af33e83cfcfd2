// What travelled between the platform and an agent in one run: each message as the log has it, and all of them as a
// recording that can be played again. How a recording is written down is format-recording.ts, and how it is read protocols/replay/parse-recording.ts.
import type { Failure } from "./failure.ts";
import type { Json, JsonObject } from "./json.ts";
import type { TerminalStatus } from "./run.ts";
import type { Task } from "./task.ts";

/** One message, as it travelled. */
export interface WireMessage extends JsonObject {
  direction: "sent" | "received";
  /** The transport's word for what carried it: `stdin`, `stdout`, `head`, `sse`, `frame`, `message`; `close` for how it ended. */
  channel: string;
  text: string;
  /** Name of the message in its transport: the name of a frame, the path of a request, the reason of a close. */
  name?: string;
  id?: string;
  /** `lossy` when the bytes were not UTF-8; U+FFFD replaces those that were not. */
  encoding?: "lossy";
  /** Status of the message: an HTTP status, a close code, a gRPC status. */
  status?: number;
  content_type?: string;
  /** Number of bytes that were dropped, where the text is only the beginning, or nothing, of what came. */
  dropped_bytes?: number;
}

export interface RecordedMessage extends WireMessage {
  /** Milliseconds since the run started. */
  at_ms: number;
}

/** A call of a tool as it was observed at the run's endpoint. */
export interface RecordedCall extends JsonObject {
  at_ms: number;
  tool: string;
  input: Json;
  output: Json;
  status: string;
  call_id?: string;
}

export type RecordingEntry = RecordedMessage | RecordedCall;

export interface RecordingEnd extends JsonObject {
  status: TerminalStatus;
  failure?: Failure;
  exit_code?: number;
  signal?: string;
  /** Number of processes that the agent left behind. */
  leftover?: number;
}

export interface RecordingHeader extends JsonObject {
  /** Version of the format. */
  proctor_recording: 1;
  protocol: string;
  transport: string;
  agent: string;
  task: Task;
  recorded_at: string;
  run_id: string;
  /** A key by which the writer finds the recording again. */
  key?: string;
  run_number?: number;
  test_id?: string;
}

export interface Recording {
  header: RecordingHeader;
  entries: RecordingEntry[];
  /** How the run ended; absent when the recording was cut off. */
  end?: RecordingEnd;
}

/** The largest recording that is read, because a recording is held in memory. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;

export function isRecordedCall(entry: RecordingEntry): entry is RecordedCall {
  return "tool" in entry;
}
