// The script tools of the hub over MCP: streamable HTTP without sessions, one answer per request. What a client may ask is `initialize`,
// `ping`, `tools/list` and `tools/call`.
import { z } from "zod";
import { requireScope, type Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { ScriptResult, ScriptTool } from "../../core/script-tool.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { routesOf, type Route } from "../route.ts";
import { BODY_REFUSALS } from "./refusals.ts";

interface McpOptions {
  tools: Pick<ScriptTools, "list" | "call">;
  /** Version that the hub reports of itself. */
  version: string;
  bodyLimitBytes: number;
}

/** Revisions that are served, the newest first; they differ in nothing that is offered here. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const McpMessage = z
  .record(z.string(), z.unknown())
  .meta({ id: "McpMessage", description: "One message of JSON-RPC 2.0." });

/** An error that is answered as one of JSON-RPC. */
class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function mcpRoutes({ tools, version, bodyLimitBytes }: McpOptions): Route[] {
  async function result(message: JsonObject, caller: Caller, signal: AbortSignal): Promise<JsonObject> {
    const params = isJsonObject(message["params"]) ? message["params"] : {};
    switch (message["method"]) {
      case "initialize":
        return {
          protocolVersion: revisionFor(params["protocolVersion"]),
          capabilities: { tools: {} },
          serverInfo: { name: "proctor", version },
        };
      case "ping":
        return {};
      case "tools/list":
        return listed(params["cursor"]);
      case "tools/call":
        requireScope(caller, "runs:write");
        return called(params, signal);
      default:
        throw new RpcError(METHOD_NOT_FOUND, `there is no method ${JSON.stringify(message["method"])}`);
    }
  }

  async function listed(cursor: Json | undefined): Promise<JsonObject> {
    const page = await tools.list(typeof cursor === "string" ? { cursor } : {});
    return {
      tools: page.items.map(describeTool),
      ...(page.next_cursor !== null && { nextCursor: page.next_cursor }),
    };
  }

  async function called(
    { name, arguments: input = {} }: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `"name" must be a text`);
    return describeResult(await tools.call(name, input, signal));
  }

  async function answer(message: Json, caller: Caller, signal: AbortSignal): Promise<Response> {
    if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") {
      return failed(null, INVALID_REQUEST, "one message of JSON-RPC 2.0 is expected", 400);
    }
    const { id } = message;
    // A notification, or an answer to a question that was never asked.
    if (id === undefined || message["method"] === undefined) return emptyResponse(202);
    try {
      return jsonResponse({ jsonrpc: "2.0", id, result: await result(message, caller, signal) });
    } catch (error) {
      if (error instanceof RpcError) return failed(id, error.code, error.message);
      // Whether a caller may use this endpoint at all is answered in HTTP, as at every other endpoint.
      if (!ProctorError.is(error) || error.code === "SCOPE_MISSING") throw error;
      return failed(id, INVALID_PARAMS, error.message);
    }
  }

  return routesOf({ tag: "Script tools" }, [
    {
      id: "callMcp",
      at: "POST /mcp",
      scope: "agents:read",
      summary: "Speak MCP",
      description:
        "Script tools for clients of the Model Context Protocol: streamable HTTP, without sessions and without a stream of the server's own. `tools/call` needs the scope `runs:write`.",
      body: {
        schema: McpMessage,
        required: true,
        example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      },
      responses: {
        200: { description: "The answer to a request.", schema: McpMessage },
        202: "A notification was taken.",
        400: "This is no message of JSON-RPC.",
        ...BODY_REFUSALS,
      },
      handle: async ({ request, caller }) =>
        answer(await readJson(request, { limitBytes: bodyLimitBytes }), caller, request.signal),
    },
  ]);
}

function failed(id: Json, code: number, message: string, status = 200): Response {
  return jsonResponse({ jsonrpc: "2.0", id, error: { code, message } }, status);
}

function revisionFor(asked: Json | undefined): string {
  return REVISIONS.find((revision) => revision === asked) ?? REVISIONS[0] ?? "";
}

function describeTool({ name, description, parameters, returns }: ScriptTool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
    // Structured content is an object, so that no other schema can describe it.
    ...(returns?.["type"] === "object" && { outputSchema: returns }),
  };
}

function describeResult(result: ScriptResult): JsonObject {
  if (!result.ok) {
    return { content: [{ type: "text", text: `${result.code}: ${result.message}` }], isError: true };
  }
  const { output } = result;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return {
    content: [{ type: "text", text }],
    ...(isJsonObject(output) && { structuredContent: output }),
  };
}
