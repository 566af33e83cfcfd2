// A chat request, as far as a script can look at it. Fields that mean nothing here are kept in the body and left alone.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { LLM_ROLES } from "../../core/llm-script.ts";
import { ApiError } from "../../runtime/openai/api-error.ts";

export interface ChatMessage {
  role: string;
  text: string;
}

export interface ChatRequest {
  body: JsonObject;
  model: string;
  messages: readonly ChatMessage[];
  /** Number of the request in its conversation, from 1 on. */
  turn: number;
  stream: boolean;
  /** True when a last chunk of the stream says how many tokens were used. */
  includeUsage: boolean;
}

const MAX_MODEL_CHARS = 256;

/** Reads a chat request; throws ApiError. */
export function readChat(body: JsonObject): ChatRequest {
  const model = readModel(body);
  const messages = readMessages(body["messages"]);
  const { stream = false, stream_options: options, n } = body;
  if (stream !== null && typeof stream !== "boolean") throw wrong("stream", "must be true or false");
  if (n != null && n !== 1) throw wrong("n", "must be 1: a mock gives one answer");
  return {
    body,
    model,
    messages,
    turn: messages.filter(({ role }) => role === "assistant").length + 1,
    stream: stream === true,
    includeUsage: isJsonObject(options) && options["include_usage"] === true,
  };
}

/** Reads the name of the model; throws ApiError. */
export function readModel(body: JsonObject): string {
  const { model } = body;
  if (typeof model !== "string" || model === "") throw wrong("model", "is missing: name a model");
  if (model.length > MAX_MODEL_CHARS) throw wrong("model", `is longer than ${MAX_MODEL_CHARS} characters`);
  return model;
}

export function wrong(param: string, why: string): ApiError {
  return new ApiError(400, `"${param}" ${why}`, { param });
}

function readMessages(value: Json | undefined): ChatMessage[] {
  if (!Array.isArray(value) || value.length === 0) throw wrong("messages", "must be a list with a message");
  return value.map((message, index): ChatMessage => {
    const place = `messages[${index}]`;
    if (!isJsonObject(message)) throw wrong(place, "must be an object");
    const { role, content } = message;
    if (typeof role !== "string" || !LLM_ROLES.some((known) => known === role)) {
      throw wrong(`${place}.role`, `must be one of ${LLM_ROLES.join(", ")}`);
    }
    return { role, text: textOf(content ?? "", `${place}.content`) };
  });
}

/** Returns the text of a message; for a list of parts, their texts, one per line. */
function textOf(content: Json, place: string): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw wrong(place, "must be text or a list of parts");
  return content
    .flatMap((part) => (isJsonObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}
