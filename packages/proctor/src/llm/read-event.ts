// One event of a streamed answer: what it says about the answer, and how the agent gets it.
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { parseObject } from "../core/parse-object.ts";
import type { Redactor } from "../core/redact.ts";
import { ApiError } from "../runtime/openai/api-error.ts";
import { modelErrorMessage } from "./error-message.ts";
import { readUsage, type Usage } from "./prices.ts";

interface StreamPiece {
  /** Text for the agent; empty when the agent did not ask for this event. */
  text: string;
  /**
   * `content`: more of the answer. `ending`: why it ended and what it used, which the agent gets when the call is recorded. `done`: the
   * same, and nothing follows. `aside`: nothing about the answer, a sign of life.
   */
  kind: "content" | "ending" | "done" | "aside";
  usage?: Usage;
  stopReason?: string;
  /** The error in the words of the model. */
  error?: string;
}

/** Throws ApiError for what is not an event of a chat. */
export function readEvent(event: string, options: { includeUsage: boolean; hide: Redactor }): StreamPiece {
  const { hide } = options;
  const lines = event.split("\n");
  const data = lines.filter((line) => /^data(?::|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ""));
  const others = lines.filter((line) => !/^data(?::|$)/.test(line)).map((line) => `${hide.text(line)}\n`);
  if (data.length === 0) return { text: `${others.join("")}\n`, kind: "aside" };
  const text = data.join("\n");
  const write = (json: string): string => `${others.join("")}data: ${json}\n\n`;
  if (text.trim() === "[DONE]") return { text: write("[DONE]"), kind: "done" };
  const chunk = parseObject(text);
  if (chunk === undefined) {
    throw new ApiError(502, "the hub's model sent something that is no event of a chat", {
      code: "upstream_invalid",
    });
  }
  return { ...describe(chunk), text: writeChunk(chunk, text, options, write) };
}

function writeChunk(
  chunk: JsonObject,
  text: string,
  { includeUsage, hide }: { includeUsage: boolean; hide: Redactor },
  write: (json: string) => string,
): string {
  const shown = (json: string): string => hide.json(json) ?? json;
  // A line feed may stand between the tokens of JSON, but not inside the line of an event.
  if (includeUsage || !Object.hasOwn(chunk, "usage")) {
    return write(shown(text.includes("\n") ? JSON.stringify(chunk) : text));
  }
  const { usage, ...rest } = chunk;
  if (usage !== null && isOnlyUsage(chunk)) return "";
  // A model that is asked for usage sends the key in every chunk.
  return write(shown(JSON.stringify(usage === null ? rest : chunk)));
}

function describe(chunk: JsonObject): Omit<StreamPiece, "text"> {
  const error = modelErrorMessage(chunk["error"]);
  const usage = readUsage(chunk["usage"]);
  const reasons = choicesOf(chunk).flatMap(({ finish_reason: reason }) =>
    typeof reason === "string" ? [reason] : [],
  );
  const [stopReason] = reasons;
  const isEnding = error !== undefined || stopReason !== undefined || choicesOf(chunk).length === 0;
  return {
    kind: isEnding ? "ending" : "content",
    ...(usage && { usage }),
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { error }),
  };
}

function isOnlyUsage(chunk: JsonObject): boolean {
  return choicesOf(chunk).length === 0 && chunk["error"] == null;
}

function choicesOf({ choices }: JsonObject): JsonObject[] {
  return Array.isArray(choices) ? choices.filter((choice: Json) => isJsonObject(choice)) : [];
}
