// What a process channel reports.
import type { NotStartedReason } from "../../runtime/processes/start-failure.ts";
import type { Line } from "../lines/split-lines.ts";

export type OutputStream = "stdout" | "stderr";

export type ProcessOutput =
  | {
      kind: "line";
      stream: OutputStream;
      text: string;
      /** False for a last line without a line break. */
      terminated: boolean;
      invalidUtf8: boolean;
    }
  /** A line over the limit: its beginning, and the number of bytes that were dropped. */
  | { kind: "overlong"; stream: OutputStream; head: string; droppedBytes: number }
  /** The pipe reached its end, or only processes that escaped us hold it. Reported once for each stream. */
  | { kind: "closed"; stream: OutputStream }
  /** The last item. `leftover` processes had been left behind and were killed. */
  | { kind: "exit"; code: number | null; signal: string | null; leftover: number }
  /** The only item when no process was started. */
  | { kind: "not-started"; reason: NotStartedReason; message: string };

export function labelLine(stream: OutputStream, line: Line): ProcessOutput {
  // Spelled out because this runs for every line of a flood, and spreading is several times slower.
  if (line.kind === "overlong") {
    return { kind: "overlong", stream, head: line.head, droppedBytes: line.droppedBytes };
  }
  return {
    kind: "line",
    stream,
    text: line.text,
    terminated: line.terminated,
    invalidUtf8: line.invalidUtf8,
  };
}
