// Drives a script tool of the hub: a run is one call of it, in its sandbox. Whatever capability is asked for, the tool is the one there is.
import { ProctorError } from "../../core/errors.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { ScriptResult } from "../../core/script-tool.ts";
import { logReport } from "../reports.ts";
import { createSpokenAnswer } from "../spoken-answer.ts";
import { failureOf } from "./errors.ts";

type Tools = Pick<ScriptTools, "call">;

/** `tools` is absent where there is no hub that keeps any. */
export function createScriptToolDriver(tools: Tools | undefined): AgentDriver {
  return {
    open: (job, signals) => ({
      [Symbol.asyncIterator]: () => converse(tools, job, signals),
    }),
  };
}

async function* converse(
  tools: Tools | undefined,
  { spec, task }: Job,
  { cancel, kill }: StopSignals,
): AsyncGenerator<AgentReport> {
  if (tools === undefined) {
    return yield failed(failure("UNREACHABLE", "there is no hub here that keeps script tools"));
  }
  const name = (spec.url ?? "").replace(/^script-tool:/, "");
  // Leaving the loop early ends the call as well.
  const leaving = new AbortController();
  const stop = AbortSignal.any([cancel, kill, leaving.signal]);
  try {
    const result = await tools.call(name, task.input_data ?? {}, stop);
    yield* decodeResult(result);
  } catch (error) {
    if (!stop.aborted && !ProctorError.is(error)) throw error;
    yield stop.aborted || !ProctorError.is(error) ? CANCELLED : failed(failureOf(error));
  } finally {
    leaving.abort();
  }
}

function* decodeResult(result: ScriptResult): Generator<AgentReport> {
  if (result.log.length > 0) yield logReport(result.log.join("\n"));
  if (!result.ok) return yield failed(failure("AGENT_FAILED", result.message, { code: result.code }));
  const { output } = result;
  const spoken = createSpokenAnswer();
  yield* spoken.say(textOf(output));
  yield* spoken.close();
  yield { kind: "artifact", artifact: { type: "structured", name: "result", data: output } };
  yield { kind: "end", end: { status: "completed" } };
}

function textOf(output: Json): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

const CANCELLED: AgentReport = { kind: "end", end: { status: "cancelled" } };

function failed(why: Failure): AgentReport {
  return { kind: "end", end: { status: "failed", failure: why } };
}
