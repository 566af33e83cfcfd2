// The lines of a run's recording, from its log: docs/reference/recordings.md. Reading them is protocols/replay/parse-recording.ts.
import type { RunEvent } from "./event.ts";
import type { RecordingEnd, RecordingHeader } from "./recording.ts";
import type { Run } from "./run.ts";

export interface RecordingLabels {
  key?: string;
  runNumber?: number;
  testId?: string;
}

/** Yields the lines of a run's recording, from its log. Each is one JSON document, without its line break. */
export async function* formatRecording(
  run: Run,
  events: AsyncIterable<RunEvent>,
  { key, runNumber, testId }: RecordingLabels = {},
): AsyncGenerator<string> {
  // A run that was parked and resumed has started more than once; its time continues.
  const startMs = Date.parse(run.started_at ?? run.created_at);
  let exit: Omit<RecordingEnd, "status"> = {};
  for await (const event of events) {
    const timeMs = Date.parse(event.timestamp);
    const at_ms = Math.max(0, timeMs - startMs);
    switch (event.type) {
      case "run.created": {
        const { protocol, transport } = event.payload.spec;
        const header: RecordingHeader = {
          proctor_recording: 1,
          protocol,
          transport,
          agent: run.agent,
          task: run.task,
          recorded_at: run.started_at ?? run.created_at,
          run_id: run.id,
          ...(key !== undefined && { key }),
          ...(runNumber !== undefined && { run_number: runNumber }),
          ...(testId !== undefined && { test_id: testId }),
        };
        yield JSON.stringify(header);
        break;
      }
      case "wire.message":
        yield JSON.stringify({ at_ms, ...event.payload });
        break;
      case "tool.called": {
        const { tool, input, output = null, status, call_id } = event.payload;
        yield JSON.stringify({
          at_ms,
          tool,
          input,
          output,
          status,
          ...(call_id !== undefined && { call_id }),
        });
        break;
      }
      case "process.exited": {
        const { code, signal, leftover } = event.payload;
        exit = {
          ...(code !== null && { exit_code: code }),
          ...(signal !== null && { signal }),
          ...(leftover !== undefined && { leftover }),
        };
        break;
      }
      case "run.ended": {
        const { status, failure } = event.payload;
        yield JSON.stringify({ end: { status, ...(failure && { failure }), ...exit } });
        break;
      }
      default:
    }
  }
}
