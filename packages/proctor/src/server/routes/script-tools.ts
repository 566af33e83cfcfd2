// Tools that are scripts: kept by name, and called in their sandbox.
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { NewScriptTool } from "../../core/script-tool.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { NewScriptToolBody, ScriptToolBody, ScriptToolName } from "../../runtime/schemas/script-tool.ts";
import { pathParam } from "../call.ts";
import { pageRequest } from "../page-request.ts";
import { readBody } from "../read-body.ts";
import { created, routesOf, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import {
  ScriptCallBody,
  ScriptResultDocument,
  ScriptToolDocument,
  ScriptToolList,
} from "../schemas/script-tool.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";

const TAG = "Script tools";
const NOT_FOUND = "There is no such tool.";
const MALFORMED = "The body is malformed, a schema is none, or the script cannot be loaded.";
const EXAMPLE = {
  description: "Adds two numbers.",
  language: "javascript",
  source: "function run({ a, b }) { return a + b; }",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};

export function scriptToolRoutes(tools: ScriptTools, bodyLimitBytes: number): Route[] {
  return routesOf({ tag: TAG }, [
    {
      id: "listScriptTools",
      at: "GET /script-tools",
      scope: "agents:read",
      summary: "List script tools",
      query: PageQuery,
      responses: {
        200: { description: "A page of tools, by name.", schema: ScriptToolList },
        400: BAD_PAGE,
      },
      handle: async (call) => jsonResponse(await tools.list(pageRequest(call))),
    },
    {
      id: "addScriptTool",
      at: "POST /script-tools",
      scope: "programs",
      summary: "Add a script tool",
      body: { schema: NewScriptToolBody, required: true, example: { name: "add", ...EXAMPLE } },
      responses: {
        201: created("The tool.", ScriptToolDocument, "tool"),
        400: MALFORMED,
        409: "A tool of this name exists.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = await readBody(call.request, NewScriptToolBody, bodyLimitBytes);
        // JSON has no `undefined`, so no optional field holds one. The same holds below.
        const tool = await tools.put(body as NewScriptTool, {}, call.caller);
        return jsonResponse(tool, 201, { location: `/script-tools/${tool.name}` });
      },
    },
    {
      id: "getScriptTool",
      at: "GET /script-tools/{name}",
      scope: "agents:read",
      summary: "Read a script tool",
      responses: { 200: { description: "The tool.", schema: ScriptToolDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await tools.get(pathParam(call, "name"))),
    },
    {
      id: "putScriptTool",
      at: "PUT /script-tools/{name}",
      scope: "programs",
      summary: "Add or replace a script tool",
      params: { name: ScriptToolName },
      body: { schema: ScriptToolBody, required: true, example: EXAMPLE },
      responses: {
        200: { description: "The tool, replaced.", schema: ScriptToolDocument },
        201: { description: "The tool, new.", schema: ScriptToolDocument },
        400: MALFORMED,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const name = pathParam(call, "name");
        if (!ScriptToolName.safeParse(name).success)
          throw new ProctorError("INVALID_REQUEST", "the path does not name a tool");
        const body = await readBody(call.request, ScriptToolBody, bodyLimitBytes);
        const existed = await exists(tools, name);
        const tool = await tools.put({ ...body, name } as NewScriptTool, { replace: true }, call.caller);
        return jsonResponse(tool, existed ? 200 : 201, { location: `/script-tools/${name}` });
      },
    },
    {
      id: "deleteScriptTool",
      at: "DELETE /script-tools/{name}",
      scope: "programs",
      summary: "Remove a script tool",
      responses: { 204: "It is gone.", 404: NOT_FOUND },
      async handle(call) {
        await tools.remove(pathParam(call, "name"), call.caller);
        return emptyResponse(204);
      },
    },
    {
      id: "callScriptTool",
      at: "POST /script-tools/{name}/call",
      scope: "runs:write",
      summary: "Call a script tool",
      description: "The answer is 200 whatever the script does: a script that fails is an answer, too.",
      body: { schema: ScriptCallBody, required: true, example: { input: { a: 1, b: 2 } } },
      responses: {
        200: { description: "What came of it.", schema: ScriptResultDocument },
        400: "The body is malformed, or this machine has no environment for the program.",
        404: NOT_FOUND,
        429: "Too many calls wait already.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { request } = call;
        const { input } = await readBody(request, ScriptCallBody, bodyLimitBytes);
        // It came from JSON.
        return jsonResponse(await tools.call(pathParam(call, "name"), input as Json, request.signal));
      },
    },
  ]);
}

async function exists(tools: ScriptTools, name: string): Promise<boolean> {
  try {
    await tools.get(name);
    return true;
  } catch (error) {
    if (ProctorError.is(error) && error.code === "TOOL_NOT_FOUND") return false;
    throw error;
  }
}
