// One step as the events that everybody sees: what the agent thought, and the command with what came of it.
import type { JsonObject } from "../../core/json.ts";
import type { ReceivedArtifact } from "../../core/ports/driver.ts";
import type { OutputFile } from "../../core/ports/environments.ts";
import { createReadStream } from "node:fs";
import type { ReportQueue } from "./report-queue.ts";
import type { StepResult, TypedAction } from "./terminal/step-result.ts";
import type { TermAnswer } from "./wire.ts";

/** The most outputs of a run that are kept as artifacts, so that room is left for others. */
const MAX_OUTPUTS = 400;

export interface StepReporter {
  thought(step: number, answer: TermAnswer): void;
  done(step: number, action: TypedAction, answer: TermAnswer, result: StepResult): void;
  nothing(step: number, answer: TermAnswer): void;
  /** Removes the files of outputs that were not taken. */
  close(): Promise<void>;
}

export function createStepReporter(
  reports: ReportQueue,
  { maxSteps, commandMs }: { maxSteps: number; commandMs: number },
): StepReporter {
  const untaken = new Set<OutputFile>();
  let outputs = 0;

  function keepWhole(step: number, file: OutputFile): void {
    untaken.add(file);
    if (outputs++ < MAX_OUTPUTS) reports.artifact(wholeOutput(step, file, () => void untaken.delete(file)));
  }

  return {
    thought(step, { thought, plan }) {
      if (thought === undefined && plan === undefined) return;
      const payload = {
        ...(thought !== undefined && { thought }),
        ...(plan !== undefined && { plan }),
        step: callId(step),
      };
      reports.event({ type: "reasoning", payload });
    },
    done(step, action, { rest }, result) {
      const { output, exitCode, cwd, durationMs, truncated, outputBytes, timedOut, restarted, whole } =
        result;
      const seen: JsonObject = { output, exit_code: exitCode, cwd };
      if (truncated) Object.assign(seen, { truncated, output_bytes: outputBytes });
      if (timedOut) seen["timed_out"] = true;
      if (restarted !== undefined) seen["shell_restarted"] = restarted;
      const seconds = commandMs / 1000;
      reports.event({
        type: "tool_call",
        payload: {
          tool: "shell",
          call_id: callId(step),
          input:
            action.kind === "command" ? { command: action.command, step } : { commands: typed(action), step },
          output: seen,
          duration_ms: Math.round(durationMs * 1000) / 1000,
          status: timedOut ? "timeout" : exitCode === 0 || exitCode === null ? "success" : "error",
          ...(timedOut && {
            error: `the command took longer than ${seconds} s and was ended`,
            details: { limit: "command", seconds },
          }),
        },
        ...(rest && { origin: rest }),
      });
      if (whole) keepWhole(step, whole);
    },
    nothing(step, { rest }) {
      const payload = { current_step: step, total_steps: maxSteps, message: "the agent asked for nothing" };
      reports.event({ type: "progress", payload, ...(rest && { origin: rest }) });
    },
    async close() {
      for (const file of untaken) await file.remove();
    },
  };
}

function callId(step: number): string {
  return `step-${step}`;
}

function typed({ keys }: TypedAction & { kind: "keys" }): JsonObject[] {
  return keys.map(({ keystrokes, seconds }) => ({ keystrokes, duration: seconds }));
}

/** Returns an artifact whose file is read once and then removed. */
function wholeOutput(step: number, file: OutputFile, taken: () => void): ReceivedArtifact {
  return {
    type: "file",
    path: `terminal/output-${step}.txt`,
    content_type: "text/plain; charset=utf-8",
    extensions: { step, output_bytes: file.bytes, ...(!file.complete && { complete: false }) },
    async *read() {
      try {
        // Typed as any in Node; without an encoding its chunks are buffers.
        for await (const chunk of createReadStream(file.path)) yield chunk as Buffer;
      } finally {
        taken();
        await file.remove();
      }
    },
  };
}
