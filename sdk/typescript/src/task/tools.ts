// The tools of a task: they are called at its tools endpoint, reported as events, and limited to those that the task allows.
import { randomUUID } from "node:crypto";
import { describeThrown, ToolError } from "../protocol/errors.ts";
import { isObject, type Json, parseJson } from "../protocol/json.ts";
import type { AtpRequest } from "../protocol/messages.ts";
import type { Emit } from "./emitter.ts";
import { type HttpAnswer, postJson } from "./post-json.ts";

export interface Tools {
  /** Returns the output of the tool. Throws a ToolError when the call fails, and the reason of the signal when the task is stopped. */
  call(tool: string, input?: Record<string, unknown>): Promise<unknown>;
}

export function createTools(request: AtpRequest, emit: Emit, signal: AbortSignal): Tools {
  const allowed = request.constraints?.allowed_tools ?? undefined;
  const endpoint = request.context?.tools_endpoint;

  async function post(url: URL, tool: string, callId: string, input: unknown): Promise<HttpAnswer> {
    const body = JSON.stringify({ task_id: request.task_id, input, call_id: callId });
    try {
      return await postJson(url, body, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new ToolError(
        "TOOL_ERROR",
        tool,
        `The tool ${tool} cannot be reached: ${describeThrown(error)}`,
        undefined,
        {
          cause: error,
        },
      );
    }
  }

  return {
    async call(tool, input = {}) {
      signal.throwIfAborted();
      if (allowed !== undefined && !allowed.includes(tool)) {
        throw notFound(tool, `The tool ${tool} is not allowed for this task`, allowed);
      }
      // "." and ".." would be resolved as path segments of the URL.
      if (endpoint === undefined || tool === "" || tool === "." || tool === "..") {
        throw notFound(
          tool,
          endpoint === undefined ? "The task has no tools endpoint" : `No such tool: "${tool}"`,
          allowed,
        );
      }
      const callId = randomUUID();
      const startedAt = performance.now();
      const report = (end: { status: string; output?: unknown; error?: string }): void =>
        emit.toolCall({
          tool,
          input,
          ...end,
          duration_ms: Math.round(performance.now() - startedAt),
          call_id: callId,
        });
      try {
        const output = decodeAnswer(tool, await post(urlOf(endpoint, tool), tool, callId, input));
        report({ status: "success", output });
        return output;
      } catch (error) {
        report({ status: "error", error: describeThrown(error) });
        throw error;
      }
    },
  };
}

function notFound(tool: string, message: string, available: readonly string[] | undefined): ToolError {
  return new ToolError("TOOL_NOT_FOUND", tool, message, {
    tool,
    ...(available && { available_tools: [...available] }),
  });
}

function urlOf(endpoint: string, tool: string): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${encodeURIComponent(tool.toWellFormed())}`;
  return url;
}

/** Reads the answer of a tool as the protocol's section "Tool Protocol" defines it. */
function decodeAnswer(tool: string, { status, text }: HttpAnswer): Json {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    answer = undefined;
  }
  // The answer was parsed from JSON, so its fields are JSON.
  const fields = (isObject(answer) ? answer : {}) as Record<string, Json | undefined>;
  if (status < 400 && fields["status"] === "success") return fields["output"] ?? null;
  const { error, error_code, error_details } = fields;
  const code = typeof error_code === "string" ? error_code : status === 404 ? "TOOL_NOT_FOUND" : "TOOL_ERROR";
  const message =
    typeof error === "string"
      ? error
      : `The tool ${tool} answered ${status} and nothing that can be understood`;
  throw new ToolError(code, tool, message, error_details ?? { tool });
}
