// A recording in the place of the terminal, for runs that have none: the results of commands are those of the recorded requests.
import type { Json, JsonObject } from "../../../core/json.ts";
import { parseObject } from "../../../core/parse-object.ts";
import { isRecordedCall, type Recording } from "../../../core/recording.ts";
import type { StepResult, StepTerminal } from "../terminal/step-result.ts";

export function playTerminal({ entries }: Recording): StepTerminal {
  const requests = entries.flatMap((entry) => {
    if (isRecordedCall(entry) || entry.direction !== "sent" || entry.channel !== "stdin") return [];
    const request = parseObject(entry.text);
    return request === undefined || "error" in request ? [] : [request];
  });
  let cwd = text(requests[0]?.["cwd"]);
  const results = requests.filter((request) => typeof request["last_command"] === "string");
  let at = 0;

  return {
    get cwd() {
      return cwd;
    },
    warmUp() {},
    run() {
      const request = results[at++] ?? {};
      // The result of the last command is in no request.
      cwd = text(request["cwd"]) || cwd;
      return Promise.resolve(resultOf(request, cwd));
    },
  };
}

function resultOf(request: JsonObject, cwd: string): StepResult {
  const { output, exit_code: exitCode, output_bytes: bytes, shell_restarted: restarted } = request;
  return {
    output: text(output),
    exitCode: typeof exitCode === "number" ? exitCode : null,
    cwd,
    durationMs: 0,
    truncated: request["truncated"] === true,
    outputBytes: typeof bytes === "number" ? bytes : Buffer.byteLength(text(output)),
    timedOut: request["timed_out"] === true,
    ...((restarted === "exited" || restarted === "killed") && { restarted }),
  };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
