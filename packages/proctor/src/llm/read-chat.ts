// A chat request of an agent, as far as the hub has to understand it. Everything else in it is the model's business and goes there as it is.
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { ApiError } from "../runtime/openai/api-error.ts";
import { readObject } from "../runtime/openai/read-object.ts";
import type { Usage } from "./prices.ts";

export interface ChatRequest {
  model: string;
  /** Model that the agent asked for; undefined when it named none. */
  requestedModel: string | undefined;
  stream: boolean;
  /** True when the agent wants the chunk that says how many tokens were used. */
  includeUsage: boolean;
  temperature: number | undefined;
  /** Rough upper bound of the tokens that the call may use. */
  estimate: Usage;
}

interface ReadChatOptions {
  chooseModel: (requested: string | undefined) => string;
  limitBytes: number;
  /** Called with the size of each piece that has to be kept in memory; may throw. */
  onBytes: (count: number) => void;
}

const MAX_MODEL_CHARS = 256;
const BYTES_PER_TOKEN = 4;
/** Output tokens that are estimated for a request that does not limit its answer. */
const DEFAULT_OUTPUT_TOKENS = 4096;
const MAX_OUTPUT_TOKENS = 1_000_000;
const MAX_CHOICES = 128;

/** Reads a request. The returned `body` is for the model: it names the model and asks for usage. Throws ApiError, or the signal's reason. */
export async function readChat(
  request: Request,
  options: ReadChatOptions,
  signal: AbortSignal,
): Promise<{ chat: ChatRequest; body: JsonObject }> {
  let size = 0;
  const body = await readObject(request, {
    limitBytes: options.limitBytes,
    signal,
    onBytes(count) {
      size += count;
      options.onBytes(count);
    },
  });
  const { model: requested = null, stream = null, stream_options: streaming = null, temperature } = body;
  if (requested !== null && (typeof requested !== "string" || requested.length > MAX_MODEL_CHARS)) {
    throw new ApiError(400, `"model" must be text of at most ${MAX_MODEL_CHARS} characters`);
  }
  if (stream !== null && typeof stream !== "boolean") {
    throw new ApiError(400, '"stream" must be true or false');
  }
  if (streaming !== null && !isJsonObject(streaming)) {
    throw new ApiError(400, '"stream_options" must be an object');
  }
  const requestedModel = requested === null || requested === "" ? undefined : requested;
  const model = options.chooseModel(requestedModel);
  const chat: ChatRequest = {
    model,
    requestedModel,
    stream: stream === true,
    includeUsage: streaming?.["include_usage"] === true,
    temperature: typeof temperature === "number" ? temperature : undefined,
    estimate: { inputTokens: Math.ceil(size / BYTES_PER_TOKEN), outputTokens: mostOutput(body) },
  };
  const usage = stream === true && { stream_options: { ...streaming, include_usage: true } };
  return { chat, body: { ...body, model, ...usage } };
}

function mostOutput({ max_completion_tokens: most, max_tokens: older, n }: JsonObject): number {
  const tokens = count(most, MAX_OUTPUT_TOKENS) ?? count(older, MAX_OUTPUT_TOKENS) ?? DEFAULT_OUTPUT_TOKENS;
  return tokens * (count(n, MAX_CHOICES) ?? 1);
}

function count(value: Json | undefined, most: number): number | undefined {
  return typeof value === "number" && value >= 1 ? Math.min(Math.ceil(value), most) : undefined;
}
