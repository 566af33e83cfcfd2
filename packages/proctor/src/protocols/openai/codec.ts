// A task as the messages of a chat, and a server's answer as the pieces that it adds to the model's. Pure.
import { feedbackIn, feedbackText } from "../../core/feedback.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { textOf, type Message } from "../../core/message.ts";
import type { Violation } from "../../core/event.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { Task } from "../../core/task.ts";
import type { Answer } from "../../core/question.ts";
import type { OpenaiSettings } from "./settings.ts";
import { schemaViolations } from "../schema-violations.ts";
import {
  openaiChunk,
  openaiCompletion,
  openaiUsage,
  type OpenaiFunction,
  type OpenaiMessage,
  type OpenaiSaid,
  type OpenaiUsage,
} from "./wire.ts";

/** Returns the messages before the model's: its instructions, the history, the task, a reviewer's feedback. */
export function encodeMessages(
  { task, metadata }: Pick<Job, "task" | "metadata">,
  history: readonly Message[],
  system: string | undefined,
): OpenaiMessage[] {
  const feedback = feedbackIn(metadata);
  const before = history
    .map(({ role, parts }): OpenaiMessage => ({
      role: role === "user" ? "user" : "assistant",
      content: textOf(parts),
    }))
    // Servers refuse messages that say nothing.
    .filter(({ content }) => content !== "");
  return [
    ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
    ...before,
    { role: "user", content: taskText(task) },
    ...(feedback ? [{ role: "user" as const, content: feedbackText(feedback) }] : []),
  ];
}

function taskText({ description, input_data: input }: Task): string {
  if (input === undefined || Object.keys(input).length === 0) return description;
  return `${description}\n\n${JSON.stringify(input, null, 2)}`;
}

export function encodeRequest(
  { model, temperature, max_tokens, stream, body }: OpenaiSettings,
  messages: readonly OpenaiMessage[],
  functions: readonly OpenaiFunction[],
): string {
  return JSON.stringify({
    model,
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(functions.length > 0 && { tools: functions }),
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...body,
  });
}

/** Content that one message of the server adds to the model's answer. */
export interface Piece {
  model?: string;
  said?: OpenaiSaid;
  finishReason?: string;
  usage?: OpenaiUsage;
  /** The server's error, in its own form. */
  error?: Json;
  violations: Violation[];
  /** True when nothing of the message could be used. */
  unusable?: boolean;
}

/** Decodes one frame of a stream. Only the first choice counts, because only one is requested. */
export function decodeChunk(wire: Json): Piece {
  const failed = errorPiece(wire);
  if (failed) return failed;
  const read = openaiChunk.safeParse(wire);
  if (!read.success) return unusable(schemaViolations("openai.chunk", read.error.issues, wire));
  const { model, choices } = read.data;
  const choice = choices.find(({ index }) => (index ?? 0) === 0);
  return piece(model, choice?.delta, choice?.finish_reason, wire);
}

/** Decodes an answer in one piece. */
export function decodeCompletion(wire: Json): Piece {
  const failed = errorPiece(wire);
  if (failed) return failed;
  const read = openaiCompletion.safeParse(wire);
  if (!read.success) {
    return unusable(schemaViolations("openai.completion", read.error.issues, wire));
  }
  const { model, choices } = read.data;
  const choice = choices.find(({ index }) => (index ?? 0) === 0) ?? choices[0];
  return piece(model, choice?.message, choice?.finish_reason, wire);
}

function errorPiece(wire: Json): Piece | undefined {
  if (!isJsonObject(wire)) return undefined;
  const { error } = wire;
  return error === undefined || error === null ? undefined : { error, violations: [] };
}

function piece(
  model: string | null | undefined,
  said: OpenaiSaid | null | undefined,
  finishReason: string | null | undefined,
  wire: Json,
): Piece {
  const sent = isJsonObject(wire) ? wire["usage"] : undefined;
  const read = sent === undefined || sent === null ? undefined : openaiUsage.safeParse(sent);
  return {
    ...(model !== null && model !== undefined && { model }),
    ...(said && { said }),
    ...(finishReason !== null && finishReason !== undefined && { finishReason }),
    ...(read?.success === true && { usage: read.data }),
    violations: read?.success === false ? schemaViolations("openai.usage", read.error.issues, sent) : [],
  };
}

function unusable(violations: Violation[]): Piece {
  return { violations, unusable: true };
}

/** Returns the answer to the model's question as the result of its call. */
export function encodeAnswer({ outcome, option, parts, data }: Answer): string {
  if (outcome === "declined") return "The user declined to answer.";
  const said = [
    ...(option === undefined ? [] : [option]),
    ...(parts === undefined || parts.length === 0 ? [] : [textOf(parts)]),
    ...(data === undefined ? [] : [typeof data === "string" ? data : JSON.stringify(data)]),
  ];
  return said.join("\n");
}
