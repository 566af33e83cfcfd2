// The model that the platform gives an agent: an OpenAI-compatible endpoint, found in the environment.
import { LLMError } from "../errors.ts";
import type { Json, JsonObject } from "../json.ts";
import type { FunctionCall, Tool } from "../tool.ts";
import {
  assistantMessage,
  emptyResponse,
  type LLMResponse,
  type Message,
  readCompletion,
} from "./completion.ts";
import { createFunctions, type FunctionHandler } from "./functions.ts";
import type { PostRequest } from "./post.ts";
import { postUntilAnswered } from "./retry.ts";
import { createCounter, type LLMStats, type ModelStats } from "./stats.ts";
import { readEvents, readStream } from "./stream.ts";

/** Options of a model. They take precedence over LLM_API_URL, LLM_API_KEY, LLM_MODEL and LLM_PROVIDER. */
export interface LLMOptions {
  model?: string;
  /** Alias of `model`. */
  defaultModel?: string;
  provider?: string;
  url?: string;
  key?: string;
  temperature?: number;
  maxTokens?: number;
  /** Time limit in milliseconds of an answer, or of each piece of a stream; 120,000 by default. */
  timeoutMs?: number;
  /** How many times a call is repeated after a rate limit, a server error or a broken connection; 3 by default. */
  retries?: number;
}

export interface CallOptions {
  model?: string;
  /** System prompt that precedes the prompt of `ask`, `stream` and `askStream`. */
  system?: string;
  tools?: readonly Tool[];
  temperature?: number;
  maxTokens?: number;
  /** Further fields of the request, sent as they are. */
  extra?: JsonObject;
  signal?: AbortSignal;
}

export interface StreamOptions extends CallOptions {
  /** Called with each piece of text as it arrives; returning false ends the call. */
  onChunk?: (text: string) => unknown;
}

const MAX_ROUNDS = 10;

export class LLM {
  readonly model: string | undefined;
  readonly provider: string;
  readonly #options: LLMOptions;
  readonly #functions = createFunctions();
  readonly #counter = createCounter();

  constructor(options: LLMOptions = {}) {
    this.#options = options;
    this.model = options.model ?? options.defaultModel ?? variable("LLM_MODEL");
    this.provider = options.provider ?? variable("LLM_PROVIDER") ?? "openai";
  }

  /** Asks one question. A string in place of the options is the system prompt. */
  ask(prompt: string, options: CallOptions | string = {}): Promise<LLMResponse> {
    const asked = typeof options === "string" ? { system: options } : options;
    return this.chat(conversation(prompt, asked), asked);
  }

  async chat(messages: readonly Message[], options: CallOptions = {}): Promise<LLMResponse> {
    const call = this.#prepare(messages, options);
    return this.#counting(call, async () => {
      const body = await postUntilAnswered(call.request, call, (answer) => answer.text());
      return this.#finish(readCompletion(body, call.model), call);
    });
  }

  /** Yields the text of the answer piece by piece. Stop reading to end the call. */
  stream(prompt: string, options: CallOptions = {}): AsyncGenerator<string, void> {
    return this.chatStream(conversation(prompt, options), options);
  }

  async *chatStream(messages: readonly Message[], options: CallOptions = {}): AsyncGenerator<string, void> {
    yield* this.#streamed(messages, options, emptyResponse(""));
  }

  /** Streams an answer and returns the whole of it. */
  async askStream(prompt: string, options: StreamOptions = {}): Promise<LLMResponse> {
    const response = emptyResponse("");
    for await (const text of this.#streamed(conversation(prompt, options), options, response)) {
      if (options.onChunk?.(text) === false) break;
    }
    return response;
  }

  registerFunction(name: string, handler: FunctionHandler): void {
    this.#functions.register(name, handler);
  }

  executeFunction(call: FunctionCall): Promise<unknown> {
    return this.#functions.execute(call);
  }

  /** Calls registered functions for the model until it answers. Throws `too_many_rounds` after `maxRounds` rounds, 10 by default. */
  async chatWithFunctions(
    messages: readonly Message[],
    tools: readonly Tool[],
    { maxRounds = MAX_ROUNDS, ...options }: CallOptions & { maxRounds?: number } = {},
  ): Promise<LLMResponse> {
    if (!(maxRounds >= 1 && maxRounds <= MAX_ROUNDS))
      throw new RangeError(`maxRounds is between 1 and ${MAX_ROUNDS}`);
    let sofar = messages;
    for (let round = 0; round < maxRounds; round += 1) {
      const response = await this.chat(sofar, { ...options, tools });
      if (response.functionCalls.length === 0) return response;
      const answers: Message[] = [];
      for (const call of response.functionCalls) answers.push(await this.#functions.answer(call));
      sofar = [...response.messages, ...answers];
    }
    this.#counter.errors += 1;
    const message = `the model still asks for functions after ${maxRounds} rounds`;
    throw new LLMError("too_many_rounds", message, { rounds: maxRounds, provider: this.provider });
  }

  /** Returns the statistics of one model, or of all models together. */
  getStats(): LLMStats;
  getStats(model: string): ModelStats;
  getStats(model?: string): LLMStats | ModelStats {
    return model === undefined ? this.#counter.all() : this.#counter.of(model);
  }

  /** Tokens of all calls so far, input and output together. */
  get totalTokens(): number {
    return this.#counter.all().totalTokens;
  }

  /** Cost of all calls so far in US dollars, where the endpoint reports it. */
  get totalCost(): number {
    return this.#counter.all().totalCost;
  }

  async *#streamed(
    messages: readonly Message[],
    options: CallOptions,
    response: LLMResponse,
  ): AsyncGenerator<string, void> {
    const streaming = { stream: true, stream_options: { include_usage: true } };
    const call = this.#prepare(messages, { ...options, extra: { ...options.extra, ...streaming } });
    response.model = call.model;
    const answer = await this.#counting(call, () =>
      postUntilAnswered(call.request, call, (answer) => Promise.resolve(answer)),
    );
    let hasFailed = false;
    try {
      yield* readStream(readEvents(answer.pieces()), response);
    } catch (error) {
      hasFailed = true;
      throw this.#counted(error, call);
    } finally {
      answer.close();
      // A call whose reader stopped early is counted too.
      if (!hasFailed) this.#finish(response, call);
    }
  }

  #prepare(messages: readonly Message[], options: CallOptions): Call {
    const { url, key = variable("LLM_API_KEY"), timeoutMs = 120_000, retries = 3 } = this.#options;
    const model = options.model ?? this.model;
    if (model === undefined) throw new LLMError("no_model", "no model is chosen: set LLM_MODEL, or name one");
    const temperature = options.temperature ?? this.#options.temperature;
    const maxTokens = options.maxTokens ?? this.#options.maxTokens;
    const payload = {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...options.extra,
      ...(options.tools?.length ? { tools: options.tools } : {}),
      model,
      messages,
    };
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (key !== undefined) headers["authorization"] = `Bearer ${key}`;
    return {
      model,
      messages,
      key,
      startedAt: performance.now(),
      request: {
        url: address(url ?? variable("LLM_API_URL")),
        headers,
        body: JSON.stringify(payload),
        timeoutMs,
        signal: options.signal,
      },
      retries,
      onRetry: () => {
        this.#counter.retries += 1;
      },
    };
  }

  #finish(response: LLMResponse, { model, messages, startedAt }: Call): LLMResponse {
    response.latencyMs = Math.round(performance.now() - startedAt);
    response.messages = [...messages, assistantMessage(response)];
    this.#counter.count(model, response);
    return response;
  }

  async #counting<Result>(call: Call, ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw this.#counted(error, call);
    }
  }

  /** Counts an error and completes its details. The key is removed: an endpoint may quote it, and messages end up in logs. */
  #counted(error: unknown, { model, key }: Call): unknown {
    if (!(error instanceof LLMError)) return error;
    this.#counter.errors += 1;
    error.details.model ??= model;
    error.details.provider ??= this.provider;
    if (key !== undefined) error.message = error.message.replaceAll(key, "[key]");
    return error;
  }
}

interface Call {
  model: string;
  messages: readonly Message[];
  key: string | undefined;
  startedAt: number;
  request: PostRequest;
  retries: number;
  onRetry: () => void;
}

const variable = (name: string): string | undefined => process.env[name] || undefined;

function conversation(prompt: string, { system }: CallOptions): Message[] {
  const message = (role: string, content: Json): Message => ({ role, content });
  const user = message("user", prompt);
  return system === undefined ? [user] : [message("system", system), user];
}

function address(url: string | undefined): string {
  if (url === undefined)
    throw new LLMError("no_api_url", "LLM_API_URL is not set: run the agent with proctor, or give a url");
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
}
