// The public door of the package.
export { Agent } from "./agent.ts";
export { LLMError, type LLMErrorDetails, RequestError, ResponseError } from "./errors.ts";
export type { Json, JsonObject } from "./json.ts";
export type { LLMResponse, Message } from "./llm/completion.ts";
export type { FunctionHandler } from "./llm/functions.ts";
export { type CallOptions, LLM, type LLMOptions, type StreamOptions } from "./llm/llm.ts";
export type { LLMStats, ModelStats } from "./llm/stats.ts";
export { Request } from "./request.ts";
export { Response } from "./response.ts";
export { run, runLoop, type Streams } from "./run.ts";
export { type FunctionCall, Tool } from "./tool.ts";
