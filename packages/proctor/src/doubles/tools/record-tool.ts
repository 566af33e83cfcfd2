// Passes a call on and writes it down with its answer, before the answer goes out.
import { messageOf } from "../../core/message-of.ts";
import { resolve } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { Forward } from "./forward-tool.ts";
import { errorAnswer } from "./offered-tool.ts";
import { appendCall } from "./recording.ts";
import { redactLine, type Redact } from "./redact-line.ts";

interface RecordOptions {
  name: string;
  file: string;
  clock: Clock;
  redact: Redact;
}

export function createRecorder(forward: Forward, { name, file, clock, redact }: RecordOptions): Forward {
  const path = resolve(file);
  return async (call, signal) => {
    const startedAt = clock.now();
    const answer = await forward(call, signal);
    const { status, output, error, error_code } = answer;
    const line = redactLine(
      {
        tool: name,
        input: call.input,
        status,
        ...(output !== undefined && { output }),
        ...(error !== undefined && { error }),
        ...(error_code !== undefined && { error_code }),
        duration_ms: Math.max(0, clock.now() - startedAt),
      },
      redact,
    );
    try {
      await appendCall(path, line);
    } catch (error) {
      return errorAnswer(`the call of ${name} could not be recorded: ${messageOf(error)}`);
    }
    return answer;
  };
}
