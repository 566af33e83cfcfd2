// Agent Protocol messages ↔ core. Pure: no clock, no I/O. What a step says of its inside is step-events.ts, what it cost
// is usage.ts.
import { INLINE_DATA_BYTES } from "../../core/artifact.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AgentEventDraft, Job, ReceivedArtifact } from "../../core/ports/driver.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "../../core/task.ts";
import { llmRequestsIn, reasoningIn, toolCallsIn } from "./driver/step-events.ts";
import type { Usage } from "./driver/usage.ts";
import type { CompatStep } from "./wire.ts";

/** Returns the body of "Create task". Everything but the description is `additional_input`, under the names of document 000. */
export function encodeTask({ task, constraints, context, metadata }: Job): JsonObject {
  const { description, ...asked } = task;
  const parts: [string, JsonObject][] = [
    ["constraints", { timeout_seconds: DEFAULT_TIMEOUT_SECONDS, ...constraints }],
    ["context", context],
    ["metadata", metadata],
  ];
  const filled = parts.filter(([, part]) => Object.keys(part).length > 0);
  return { input: description, additional_input: { ...asked, ...Object.fromEntries(filled) } };
}

interface DecodedStep {
  events: AgentEventDraft[];
  /** The whole step, where it is too long for an event. */
  artifact?: ReceivedArtifact;
  /** Error that the step reports; `ends` says whether it ends the task. */
  failure?: Failure;
  ends: boolean;
}

/** Decodes one executed step; `number` counts the steps of its task from 1. */
export function decodeStep(step: CompatStep, number: number, usage: Usage): DecodedStep {
  const additional = step.additional_output ?? {};
  const requests = llmRequestsIn(additional);
  const use = usage.take(additional, requests);
  const thought = reasoningIn(additional);
  const failed = failureOf(step, additional);
  // Parsed from JSON.
  const whole = step as JsonObject;
  const long = JSON.stringify(whole).length > INLINE_DATA_BYTES;
  const ends = step.is_last || step.status === "failed";
  return {
    events: [
      ...(thought ? [{ type: "reasoning", payload: thought } as const] : []),
      ...[...requests, ...(use ? [use] : [])].map((payload) => ({ type: "llm_request", payload }) as const),
      ...toolCallsIn(additional).map((payload) => ({ type: "tool_call", payload }) as const),
      ...(failed && !ends ? [recoverable(failed)] : []),
      { type: "progress", ...progressOf(whole, step, number, long) },
    ],
    ...(long && { artifact: { type: "structured", name: `step-${number}`, data: whole } }),
    ...(failed && { failure: failed }),
    ends,
  };
}

const MAX_MESSAGE_CHARS = 200;

/** Texts are kept whole or not at all: half a secret could not be recognised and redacted. */
function progressOf(
  whole: JsonObject,
  { step_id, status, is_last, name, output }: CompatStep,
  number: number,
  long: boolean,
): Omit<AgentEventDraft & { type: "progress" }, "type"> {
  const short = [name, output].find(isShortText);
  const payload = { current_step: number, message: short ?? `step ${number}` };
  if (long) return { payload, origin: { step_id, status, is_last } };
  const { output: _, ...origin } = whole;
  return { payload: output == null ? payload : { ...payload, output }, origin };
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_MESSAGE_CHARS;
}

function recoverable({ code, message }: Failure): AgentEventDraft {
  return { type: "error", payload: { error_type: code, message, recoverable: true } };
}

/** Returns the last step's output as the result of the task. */
export function resultOf({ output }: CompatStep): ReceivedArtifact | undefined {
  return output == null ? undefined : { type: "structured", name: "result", data: { output } };
}

const MAX_ERROR_CHARS = 10_000;

/** Returns an error in `additional_output`, which is how the document's three statuses can say it, or the status `failed`. */
function failureOf({ status, output }: CompatStep, additional: JsonObject): Failure | undefined {
  const { error, error_code } = additional;
  const details = isJsonObject(error) && Object.keys(error).length > 0 ? error : undefined;
  const said = details ? textOf(details["message"]) : textOf(error);
  if (said === undefined && !details && error !== true && status !== "failed") return undefined;
  const text = said ?? textOf(additional["error_message"]) ?? textOf(output) ?? "the step failed";
  const message = text.length > MAX_ERROR_CHARS ? `the step failed, in ${text.length} characters` : text;
  const code = textOf(details?.["code"]) ?? textOf(error_code);
  const failed = failure("AGENT_FAILED", message, details);
  return code === undefined ? failed : { ...failed, code };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
