// Why a script tool could not be called, as the failure of a run. What a script itself does wrong is its answer.
import type { ErrorCode, ProctorError } from "../../core/errors.ts";
import { failure, type Failure, type FailureCode } from "../../core/failure.ts";

const CODES: Partial<Record<ErrorCode, FailureCode>> = {
  TOOL_NOT_FOUND: "TOOL_NOT_FOUND",
  ENVIRONMENT_UNAVAILABLE: "ENVIRONMENT_UNAVAILABLE",
};

/** Returns the failure; too many calls at once, and other passing errors, may be tried again. */
export function failureOf({ code, message }: ProctorError): Failure {
  return failure(CODES[code] ?? "TOOL_ERROR", message, { code });
}
