// A chat request of an agent, as far as the hub has to understand it. Everything else in it is the model's business and goes there as it is.
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { ApiError } from "./api-error.ts";
import { parseObject } from "./parse-object.ts";
import type { Usage } from "./prices.ts";
import { readBytes, readText, TooLarge } from "./read-bytes.ts";

export interface ChatRequest {
  model: string;
  /** What the agent asked for; undefined when it named none. */
  requestedModel: string | undefined;
  stream: boolean;
  /** The agent wants the chunk that says how many tokens were used. */
  includeUsage: boolean;
  temperature: number | undefined;
  /** What it may use at most, roughly. */
  estimate: Usage;
}

export interface ReadChatOptions {
  chooseModel: (requested: string | undefined) => string;
  limitBytes: number;
  /** Told what has to be kept in memory; may throw. */
  onBytes: (count: number) => void;
}

const MAX_MODEL_CHARS = 256;
const CHARS_PER_TOKEN = 4;
/** For a request that does not limit its answer. */
const DEFAULT_OUTPUT_TOKENS = 4096;
const MAX_OUTPUT_TOKENS = 1_000_000;
const MAX_CHOICES = 128;

/** `body` is for the model: with its name in it, and asked for usage. Throws ApiError, or the signal's reason. */
export async function readChat(
  request: Request,
  options: ReadChatOptions,
  signal: AbortSignal,
): Promise<{ chat: ChatRequest; body: JsonObject }> {
  const text = await readBody(request, options, signal);
  const body = parseObject(text);
  if (body === undefined) {
    throw new ApiError(400, "the body must be a JSON object in UTF-8, nested at most 200 levels deep");
  }
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
    estimate: { inputTokens: Math.ceil(text.length / CHARS_PER_TOKEN), outputTokens: mostOutput(body) },
  };
  const usage = stream === true && { stream_options: { ...streaming, include_usage: true } };
  return { chat, body: { ...body, model, ...usage } };
}

async function readBody(
  { headers, body }: Request,
  { limitBytes, onBytes }: ReadChatOptions,
  signal: AbortSignal,
): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
  try {
    return await readText(readBytes(body, limitBytes, signal), onBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    if (error instanceof TooLarge) throw tooLarge(limitBytes);
    throw new ApiError(400, "the body was cut off before its end, or is not UTF-8");
  }
}

function mostOutput({ max_completion_tokens: most, max_tokens: older, n }: JsonObject): number {
  const tokens = count(most, MAX_OUTPUT_TOKENS) ?? count(older, MAX_OUTPUT_TOKENS) ?? DEFAULT_OUTPUT_TOKENS;
  return tokens * (count(n, MAX_CHOICES) ?? 1);
}

function count(value: Json | undefined, most: number): number | undefined {
  return typeof value === "number" && value >= 1 ? Math.min(Math.ceil(value), most) : undefined;
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError(413, `the body is larger than ${limitBytes} bytes`, {
    code: "request_too_large",
    // What is left of it is not waited for.
    headers: { connection: "close" },
  });
}
