// `/llm`, where agents reach their models, as `/openapi.json` and `/docs` describe it. The handler is given.
import { z } from "zod";
import type { ResponseDescription, RouteDescription, SurfaceDescription } from "../runtime/http/route.ts";
import type { Mount } from "./app.ts";

const TAG = "Models";
const BASE = "/llm/{run_id}/v1";

const LlmError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullish(),
      code: z.string().nullish(),
    }),
  })
  .meta({ id: "LlmError", description: "An error in the form of OpenAI's API." });

const LlmChat = z
  .looseObject({
    model: z.string().optional().describe("Replaced by the run's own unless the hub allows this one."),
    messages: z.array(z.record(z.string(), z.unknown())),
    stream: z.boolean().optional(),
  })
  .meta({
    id: "LlmChat",
    description: "A request as OpenAI's chat API has it; the rest goes to the model as it is.",
  });

const LlmCompletion = z
  .looseObject({ choices: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: "LlmCompletion", description: "An answer, or a chunk of one, as the model gave it." });

const LlmModels = z
  .object({
    object: z.literal("list"),
    data: z.array(
      z.object({
        id: z.string(),
        object: z.literal("model"),
        created: z.int(),
        owned_by: z.string().describe("The provider, or `mock`."),
      }),
    ),
  })
  .meta({ id: "LlmModels" });

const KEY =
  "Asks for the key that the run's agent has as `LLM_API_KEY`, as a bearer token; the hub's own tokens mean nothing here.";

const refusal = (description: string): ResponseDescription => ({ description, schema: LlmError });
const UNAUTHORIZED = refusal("The key is not that of this run, or the run has ended.");

const ROUTES: RouteDescription[] = [
  {
    id: "createChatCompletion",
    method: "POST",
    path: `${BASE}/chat/completions`,
    tag: TAG,
    summary: "Ask the model",
    description: `${KEY} Recorded in the run before the answer ends.`,
    open: true,
    body: {
      schema: LlmChat,
      required: true,
      example: { model: "gpt-4o", messages: [{ role: "user", content: "Say hello" }] },
    },
    responses: {
      200: {
        description: "The answer; chunks of it with `stream`.",
        schema: LlmCompletion,
        frames: LlmCompletion,
      },
      400: refusal("The request is malformed."),
      401: UNAUTHORIZED,
      402: refusal("The budget is spent, or cannot be held because the model has no price."),
      413: refusal("The body is larger than 10 MB."),
      429: refusal("Too many calls at once, or the model asks for fewer; `Retry-After` says when."),
      502: refusal("The model cannot be reached, or its answer makes no sense."),
      503: refusal("The run has ended meanwhile, or the call could not be recorded."),
      504: refusal("The model took more than 300 s."),
    },
  },
  {
    id: "listModels",
    method: "GET",
    path: `${BASE}/models`,
    tag: TAG,
    summary: "List the models that the agent may choose from",
    description: KEY,
    open: true,
    responses: {
      200: { description: "One, unless the hub allows several.", schema: LlmModels },
      401: UNAUTHORIZED,
    },
  },
];

export function llmMount(fetch: (request: Request) => Promise<Response>): Mount {
  return {
    path: "/llm",
    // The handler checks keys of its own.
    open: true,
    fetch: (request) => fetch(request),
    openapi: (): SurfaceDescription => ({
      tags: { [TAG]: "The model of a run, as its agent reaches it: in the form of OpenAI's API." },
      routes: ROUTES,
    }),
  };
}
