// The messages of chat completions as schemas, from OpenAI's API reference, "Chat Completions". Fields that are not here are kept and
// not looked at: servers add many of their own. `null` counts as absent, because servers differ in which of the two they send.
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";

/** Path for a chat completion, below the agent's address. */
export const CHAT_PATH = "/chat/completions";
/** The data of the frame that ends a stream. */
export const DONE = "[DONE]";

const text = z.string().nullish();

const calledFunction = z.looseObject({ name: text, arguments: text });

const toolCall = z.looseObject({
  /** Number of the call in its message, which joins its pieces. */
  index: z.int().min(0).nullish(),
  id: text,
  type: text,
  function: calledFunction.nullish(),
});

const said = z.looseObject({
  role: text,
  content: text,
  refusal: text,
  tool_calls: z.array(toolCall).nullish(),
});

/** `chat.completion.chunk`: one frame of a stream. */
export const openaiChunk = z.looseObject({
  model: text,
  choices: z.array(
    z.looseObject({ index: z.int().min(0).nullish(), delta: said.nullish(), finish_reason: text }),
  ),
});

/** `chat.completion`: an answer in one piece. */
export const openaiCompletion = z.looseObject({
  model: text,
  choices: z
    .array(z.looseObject({ index: z.int().min(0).nullish(), message: said, finish_reason: text }))
    .min(1),
});

/** Usage of the request; parsed by itself, so that a wrong number costs no text. */
export const openaiUsage = z.looseObject({
  prompt_tokens: z.int().min(0).nullish(),
  completion_tokens: z.int().min(0).nullish(),
  /** What the request cost in US dollars, where the server says it (OpenRouter). */
  cost: z.number().min(0).nullish(),
});

export type OpenaiSaid = z.infer<typeof said>;
export type OpenaiToolCall = z.infer<typeof toolCall>;
export type OpenaiUsage = z.infer<typeof openaiUsage>;

/** One message of the chat, as it is sent. */
export type OpenaiMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: OpenaiSentCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface OpenaiSentCall extends JsonObject {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface OpenaiFunction extends JsonObject {
  type: "function";
  function: { name: string; description?: string; parameters: JsonObject };
}

/** The function with which a model asks a question. */
export const ASK_USER = "ask_user";
