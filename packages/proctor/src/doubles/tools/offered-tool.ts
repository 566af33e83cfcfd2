// What every way of answering a call has in common: a tool that is offered, the call it gets, the answer it gives.
import type { Json, JsonObject } from "../../core/json.ts";
import type { ObservedCall } from "../../core/tools.ts";

export interface OfferedTool {
  name: string;
  description?: string;
  /** JSON schema of the tool's input, where it is known. */
  inputSchema?: JsonObject;
  mode: ObservedCall["mode"];
  /** Calls the tool. Whatever the tool does is an answer; rejects only when the signal aborts the call. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer>;
}

export interface ToolCall {
  taskId: string;
  input: Json;
  /** The `traceparent` for the server that answers; absent where the call belongs to no trace. */
  traceparent?: string;
}

/** The body of the answer without `duration_ms`; unknown fields of a real tool are kept. */
export interface ToolAnswer extends JsonObject {
  status: string;
  output?: Json;
  error?: string;
  error_code?: string;
  error_details?: JsonObject;
}

/** Standard codes of document 000 that the tool endpoint itself gives. */
type ToolErrorCode = "INVALID_REQUEST" | "TOOL_NOT_FOUND" | "TOOL_ERROR" | "INTERNAL_ERROR";

export function errorAnswer(
  error: string,
  code: ToolErrorCode = "TOOL_ERROR",
  details?: JsonObject,
): ToolAnswer {
  return { status: "error", error, error_code: code, ...(details && { error_details: details }) };
}
