// `/tools`, where agents reach their tools, as `/openapi.json` and `/docs` describe it. The handler is given.
import { z } from "zod";
import type { RouteDescription } from "../runtime/http/route.ts";
import type { Mount } from "./app.ts";

const TAG = "Tools";
const BASE = "/tools/{run}";

const ToolCall = z
  .looseObject({
    task_id: z.string().nullish(),
    input: z.unknown().optional().describe("What the tool is given; an empty object when absent."),
    call_id: z.string().nullish().describe("The agent's own name for the call."),
  })
  .meta({ id: "ToolCall" });

const ToolAnswer = z
  .looseObject({
    status: z.string().describe("`success` or `error`; a real tool may have words of its own."),
    output: z.unknown().optional(),
    error: z.string().optional(),
    error_code: z.string().optional(),
    error_details: z.record(z.string(), z.unknown()).optional(),
    duration_ms: z.number().min(0).optional(),
  })
  .meta({
    id: "ToolAnswer",
    description: "What the tool said. One that failed is an answer like any other.",
  });

const ToolList = z
  .strictObject({
    tools: z.array(
      z
        .strictObject({
          name: z.string(),
          description: z.string().optional(),
          input_schema: z.record(z.string(), z.unknown()).optional(),
        })
        .meta({ id: "ToolOffer" }),
    ),
  })
  .meta({ id: "ToolList" });

const SECRET = "The address is the secret, made for one run: agents have it as `tools_endpoint`.";
const NOT_FOUND = { description: "There is no such run or tool.", schema: ToolAnswer };

const ROUTES: RouteDescription[] = [
  {
    id: "listTools",
    method: "GET",
    path: BASE,
    tag: TAG,
    summary: "List the tools of a run",
    description: SECRET,
    open: true,
    responses: { 200: { description: "Those that the agent may use.", schema: ToolList }, 404: NOT_FOUND },
  },
  {
    id: "callTool",
    method: "POST",
    path: `${BASE}/{tool}`,
    tag: TAG,
    summary: "Call a tool",
    description: `${SECRET} Recorded in the run before it is answered. A mock may answer with any status.`,
    open: true,
    body: { schema: ToolCall, required: true, example: { input: { query: "weather in Paris" } } },
    responses: {
      200: {
        description: "The answer.",
        schema: ToolAnswer,
        example: { status: "success", output: { degrees: 21 }, duration_ms: 12 },
      },
      400: { description: "The call is malformed.", schema: ToolAnswer },
      404: NOT_FOUND,
      413: { description: "The body is larger than 10 MB.", schema: ToolAnswer },
      429: { description: "Too many calls at once.", schema: ToolAnswer },
      503: { description: "The call could not be recorded.", schema: ToolAnswer },
    },
  },
];

export function toolsMount(fetch: (request: Request) => Promise<Response>): Mount {
  return {
    path: "/tools",
    // The addresses of tools are secrets.
    open: true,
    fetch: (request) => fetch(request),
    openapi: () => ({ tags: { [TAG]: "The tools of a run, as its agent reaches them." }, routes: ROUTES }),
  };
}
