// What an agent throws to end its task with a code of its own, and how any thrown value becomes a message.
import type { Json } from "./json.ts";

/** The codes of the protocol's section "Standard Error Codes". Any other code is allowed too. */
export type ErrorCode =
  | "INVALID_REQUEST"
  | "TOOL_NOT_FOUND"
  | "TOOL_ERROR"
  | "LLM_ERROR"
  | "TIMEOUT"
  | "BUDGET_EXCEEDED"
  | "INTERNAL_ERROR"
  | (string & {});

/** Ends the task as `failed` with this code. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: ErrorCode;
  readonly details: Json | undefined;

  constructor(code: ErrorCode, message: string, details?: Json, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** The error of a tool call that did not succeed. An agent that does not catch it ends the task with its code. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ErrorCode;
  readonly tool: string;
  readonly details: Json | undefined;

  constructor(code: ErrorCode, tool: string, message: string, details?: Json, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.tool = tool;
    this.details = details;
  }
}

/** Returns the message of any thrown value, never its stack. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
  } catch {
    return "something that cannot be shown was thrown";
  }
}
