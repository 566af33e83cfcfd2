// Answers calls from a recording. A call that is not in it, or comes more often than it was recorded, is an error.
import type { Json } from "../../core/json.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { nearestCall } from "./nearest-call.ts";
import { errorAnswer, type OfferedTool, type ToolAnswer } from "./offered-tool.ts";
import type { RecordedCall } from "./recording.ts";
import { redactJson, type Redact } from "./redact-line.ts";

interface ReplayOptions {
  name: string;
  /** Recorded calls of all tools, in the order of the file. */
  calls: readonly RecordedCall[];
  /** Hides the secrets of a call before it is looked up, because recordings have none. */
  redact: Redact;
}

export function createReplay({ name, calls, redact }: ReplayOptions): OfferedTool["call"] {
  const recorded = calls.filter(({ tool }) => tool === name);
  const answers = new Map<string, RecordedCall[]>();
  for (const call of recorded) {
    const key = canonicalJson(call.input);
    const same = answers.get(key);
    if (same) same.push(call);
    else answers.set(key, [call]);
  }
  const used = new Map<string, number>();

  return async (call) => {
    const input = redactJson(call.input, redact);
    const key = canonicalJson(input);
    const same = answers.get(key);
    const turn = used.get(key) ?? 0;
    const found = same?.[turn];
    if (found) {
      used.set(key, turn + 1);
      return replayed(found);
    }
    return unexpected(name, input, recorded, same?.length ?? 0);
  };
}

function replayed({ status, output, error, error_code }: RecordedCall): ToolAnswer {
  return {
    status,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(error_code !== undefined && { error_code }),
  };
}

function unexpected(name: string, input: Json, recorded: readonly RecordedCall[], times: number): ToolAnswer {
  const details = { recorded_calls: recorded.length };
  if (times > 0) {
    const often = times === 1 ? "once" : `${times} times`;
    return errorAnswer(
      `${name} was called with this input more often than recorded (${often})`,
      "TOOL_ERROR",
      details,
    );
  }
  const nearest = nearestCall(input, recorded);
  if (nearest === undefined) {
    return errorAnswer(`the recording has no call of ${name}`, "TOOL_ERROR", details);
  }
  return errorAnswer(`the recording has no call of ${name} with this input`, "TOOL_ERROR", {
    ...details,
    nearest_input: nearest.input,
    differences: nearest.differences,
  });
}
