// Answers of the tool endpoint as HTTP responses.
import type { JsonObject } from "../../core/json.ts";
import type { OfferedTool, ToolAnswer } from "./offered-tool.ts";

const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };
/** Statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304]);

export function answerResponse(answer: ToolAnswer, status: number, durationMs: number): Response {
  const body = BODILESS.has(status) ? null : JSON.stringify({ ...answer, duration_ms: durationMs });
  // What is left of a body that is too large is not waited for.
  const headers = status === 413 ? { ...HEADERS, connection: "close" } : HEADERS;
  return new Response(body, { status, headers });
}

export function listResponse(tools: readonly OfferedTool[]): Response {
  return json({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(inputSchema !== undefined && { input_schema: inputSchema }),
    })),
  });
}

export function notAllowed(allow: string): Response {
  return json({ status: "error", error: `use ${allow} here`, error_code: "METHOD_NOT_ALLOWED" }, 405, {
    allow,
  });
}

/** The same for a session that never was, one that is over, and a token that is almost right. */
export function notFoundResponse(): Response {
  return json({ status: "error", error: "not found", error_code: "NOT_FOUND" }, 404);
}

export function json(body: JsonObject, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });
}
