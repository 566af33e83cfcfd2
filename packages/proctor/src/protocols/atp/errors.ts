// Codes both ways. ATP names seven; ours that are not among them travel as INTERNAL_ERROR with the real one in details.
import type { Failure } from "../../core/failure.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";

/** Document 000, "Standard Error Codes". */
export const ATP_ERROR_CODES = [
  "INVALID_REQUEST",
  "TOOL_NOT_FOUND",
  "TOOL_ERROR",
  "LLM_ERROR",
  "TIMEOUT",
  "BUDGET_EXCEEDED",
  "INTERNAL_ERROR",
] as const;

type AtpErrorCode = (typeof ATP_ERROR_CODES)[number];

/** The three error fields of an ATP response. */
export interface AtpError extends JsonObject {
  error: string;
  error_code: AtpErrorCode;
  error_details?: JsonObject;
}

export function encodeFailure(failed: Failure): AtpError {
  const standard = (ATP_ERROR_CODES as readonly string[]).includes(failed.code);
  const details = standard ? failed.details : { ...failed.details, code: failed.code };
  return {
    error: failed.message,
    error_code: standard ? (failed.code as AtpErrorCode) : "INTERNAL_ERROR",
    ...(details && { error_details: details }),
  };
}

/** What an agent says went wrong. A code of its own is kept; none becomes AGENT_FAILED. */
export function decodeFailure(
  error: string | null | undefined,
  code: string | null | undefined,
  details: Json | undefined,
): Failure {
  return {
    code: code ?? "AGENT_FAILED",
    message: error ?? "the agent failed and did not say why",
    ...(isJsonObject(details) && { details }),
    ...(details !== undefined &&
      details !== null &&
      !isJsonObject(details) && { details: { value: details } }),
  };
}
