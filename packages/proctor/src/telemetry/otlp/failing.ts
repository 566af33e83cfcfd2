// How a span says that what it stands for went wrong: its status, and `error.type`.
import { FAILURES, type FailureCode } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { type OtlpSpan, SPAN_STATUS } from "./otlp.ts";
import { content, label } from "./text.ts";

export interface Outcome {
  status: OtlpSpan["status"];
  /** `error.type`: a short word for the kind of error. */
  errorType?: string;
}

/** The `error.type` that OpenTelemetry gives to an error without a name. */
const OTHER = "_OTHER";
const FAILED = new Set(["error", "failed", "failure", "timeout", "timed_out", "cancelled", "denied"]);

/** Instrumentation leaves the status of success unset: OK is for the application to say. */
const FINE: Outcome = { status: { code: SPAN_STATUS.UNSET } };

export function outcomeOfRun(run: Run, withContent: boolean): Outcome {
  if (!isTerminal(run.status) || run.status === "completed") return FINE;
  const code = label(run.failure?.code);
  // The message may quote what the agent was given or said.
  const message = withContent ? content(run.failure?.message) : meaningOf(code);
  return failed(code ?? run.status, message ?? `the run ended as ${run.status}`);
}

/** Returns the outcome of a tool call or a model call, reported or observed. */
export function outcomeOfCall(payload: JsonObject, withContent: boolean): Outcome {
  const { status, error, error_code: code, http_status: httpStatus } = payload;
  const said = typeof status === "string" ? status.toLowerCase() : "";
  const refused = typeof httpStatus === "number" && httpStatus >= 400;
  if (!FAILED.has(said) && !isGiven(error) && !isGiven(code) && !refused) return FINE;
  const type = label(code) ?? (FAILED.has(said) && said !== "error" ? said : OTHER);
  return failed(type, withContent ? content(error) : undefined);
}

function failed(errorType: string, message: string | undefined): Outcome {
  return {
    status: { code: SPAN_STATUS.ERROR, ...(message !== undefined && { message }) },
    errorType,
  };
}

function meaningOf(code: string | undefined): string | undefined {
  // Checked to be a key right here.
  return code !== undefined && Object.hasOwn(FAILURES, code)
    ? FAILURES[code as FailureCode].meaning
    : undefined;
}

/** Agents write null, false and "" for "no error". */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}
