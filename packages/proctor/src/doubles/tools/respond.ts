// Answers of the tool endpoint as HTTP responses.
import { emptyResponse, jsonResponse, type PlainHeaders } from "../../runtime/http/respond.ts";
import type { OfferedTool, ToolAnswer } from "./offered-tool.ts";

/** Statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304]);

export function answerResponse(answer: ToolAnswer, status: number, durationMs: number): Response {
  if (BODILESS.has(status)) return emptyResponse(status);
  // The rest of a body that is too large is not awaited.
  const headers: PlainHeaders = status === 413 ? { connection: "close" } : {};
  return jsonResponse({ ...answer, duration_ms: durationMs }, status, headers);
}

export function listResponse(tools: readonly OfferedTool[]): Response {
  return jsonResponse({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(inputSchema !== undefined && { input_schema: inputSchema }),
    })),
  });
}

export function notAllowed(allow: string): Response {
  return jsonResponse(
    { status: "error", error: `use ${allow} here`, error_code: "METHOD_NOT_ALLOWED" },
    405,
    {
      allow,
    },
  );
}

/** Returns the same response for an unknown session, one that has ended, and a token that is almost right. */
export function notFoundResponse(): Response {
  return jsonResponse({ status: "error", error: "not found", error_code: "NOT_FOUND" }, 404);
}
