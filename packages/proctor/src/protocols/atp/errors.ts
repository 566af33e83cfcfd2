// Codes both ways. ATP names seven; ours that are not among them travel as INTERNAL_ERROR, or as none, with the real one in
// details, and are themselves again when they come back.
import { FAILURES, type Failure } from "../../core/failure.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";

/** Codes of document 000, "Standard Error Codes". */
export const ATP_ERROR_CODES = [
  "INVALID_REQUEST",
  "TOOL_NOT_FOUND",
  "TOOL_ERROR",
  "LLM_ERROR",
  "TIMEOUT",
  "BUDGET_EXCEEDED",
  "INTERNAL_ERROR",
] as const;

export type AtpErrorCode = (typeof ATP_ERROR_CODES)[number];

/** The three error fields of an ATP response. */
export interface AtpError extends JsonObject {
  error: string;
  error_code?: AtpErrorCode;
  error_details?: JsonObject;
}

export function encodeFailure({ code, message, details }: Failure): AtpError {
  if (isStandard(code)) {
    return { error: message, error_code: code, ...(details && { error_details: details }) };
  }
  // A crash has an exit code of its own in `details.code`.
  const moved = details?.["code"] !== undefined && { detail_code: details["code"] };
  const error_details = { ...details, ...moved, code };
  if (NAMELESS.has(code)) return { error: message, error_details };
  return { error: message, error_code: "INTERNAL_ERROR", error_details };
}

/** Codes for which the document's optional `error_code` has no honest value: nothing failed inside, or the cause is unknown. */
const NAMELESS: ReadonlySet<string> = new Set(["CANCELLED", "AGENT_FAILED", "NO_ANSWER", "REJECTED"]);

/** Returns the failure that an agent reports. A code of its own is kept; a missing one becomes AGENT_FAILED. */
export function decodeFailure(
  error: string | null | undefined,
  code: string | null | undefined,
  details: Json | undefined,
): Failure {
  const message = error ?? "the agent failed and did not say why";
  const record = isJsonObject(details) ? details : details == null ? undefined : { value: details };
  if ((code === "INTERNAL_ERROR" || !code) && record !== undefined && isOurs(record["code"])) {
    return { message, ...travelled(record["code"], record) };
  }
  return { code: code || "AGENT_FAILED", message, ...(record && { details: record }) };
}

/** Returns the inverse of what `encodeFailure` does to the codes ATP has no name for. */
function travelled(code: string, record: JsonObject): { code: string; details?: JsonObject } {
  const { code: _, detail_code: moved, ...rest } = record;
  const details = { ...rest, ...(moved !== undefined && { code: moved }) };
  return { code, ...(Object.keys(details).length > 0 && { details }) };
}

function isStandard(code: string): code is AtpErrorCode {
  return (ATP_ERROR_CODES as readonly string[]).includes(code);
}

function isOurs(code: Json | undefined): code is string {
  return typeof code === "string" && Object.hasOwn(FAILURES, code) && !isStandard(code);
}
