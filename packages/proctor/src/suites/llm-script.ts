// The script of a mock LLM as it is written in YAML. Strict: unknown keys, answers that are both an error and a text, and
// patterns that are none are refused.
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { parseJsonPath } from "../core/json-path.ts";
import {
  LLM_ROLES,
  type JsonPathCondition,
  type LlmCondition,
  type LlmRule,
  type LlmScript,
  type ScriptedAnswer,
  type ScriptedToolCall,
} from "../core/llm-script.ts";
import { given } from "../core/given.ts";
import { checkPattern } from "./patterns/pattern.ts";
import { addError, dispatch } from "../runtime/yaml/findings.ts";
import { quote } from "../core/printable.ts";
import { integerUpTo, json, numberUpTo } from "../runtime/yaml/scalars.ts";
import { delay } from "../runtime/schemas/tool-rules.ts";

const MAX_COUNT = 1_000_000_000;
const MAX_RETRY_SECONDS = 86_400;
const FINISH_REASONS = ["stop", "length", "tool_calls", "content_filter", "function_call"] as const;

const text = z.string().min(1);
const count = integerUpTo(0, MAX_COUNT);
const positive = integerUpTo(1, MAX_COUNT);
const object = z.custom<JsonObject>(isJsonObject, '"arguments" must be a mapping (key: value), or text');

const path = text.superRefine((value, context) => {
  try {
    parseJsonPath(value);
  } catch (error) {
    addError(context, error);
  }
});

const jsonPath = dispatch<string | JsonPathCondition>((value) =>
  isJsonObject(value)
    ? z
        .strictObject({ path, equals: json.optional(), contains: text.nullish() })
        // Null is a value to compare with, so only absent keys are removed.
        .transform(
          ({ contains, ...rest }) =>
            ({ ...rest, ...(contains != null && { contains }) }) as JsonPathCondition,
        )
    : path,
);

const condition: z.ZodType<LlmCondition> = z
  .strictObject({
    contains: text.nullish(),
    regex: text.nullish(),
    role: z.enum(LLM_ROLES).nullish(),
    turn: positive.nullish(),
    model: text.nullish(),
    json_path: jsonPath.optional(),
  })
  .superRefine(({ regex }, context) => {
    if (regex != null) checkPattern(regex, context, "regex");
  })
  // Only absent keys are removed; the rest was checked key by key. The same holds below.
  .transform((value) => given(value) as unknown as LlmCondition);

const toolCall: z.ZodType<ScriptedToolCall> = z
  .strictObject({
    name: text,
    arguments: dispatch<JsonObject | string>((value) =>
      typeof value === "string" ? z.string() : object,
    ).optional(),
    id: text.nullish(),
  })
  .transform((value) => given(value) as unknown as ScriptedToolCall);

const usage = z
  .strictObject({ prompt_tokens: count.nullish(), completion_tokens: count.nullish() })
  .transform(given);

const stream = z
  .strictObject({
    chunk_chars: positive.nullish(),
    chunk_delay_ms: delay.nullish(),
    cut_after_chunks: count.nullish(),
  })
  .transform(given);

const error = z
  .strictObject({
    status: integerUpTo(400, 599),
    message: z.string().nullish(),
    type: text.nullish(),
    code: text.nullish(),
    retry_after_seconds: numberUpTo(0, MAX_RETRY_SECONDS).nullish(),
  })
  .transform(given);

const answer: z.ZodType<ScriptedAnswer> = z
  .strictObject({
    content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    finish_reason: z.enum(FINISH_REASONS).nullish(),
    usage: usage.nullish(),
    delay_ms: delay.nullish(),
    stream: stream.nullish(),
    error: error.nullish(),
  })
  .superRefine(checkAnswer)
  .transform((value) => given(value) as unknown as ScriptedAnswer);

const rule: z.ZodType<LlmRule> = z
  .strictObject({
    when: condition.nullish(),
    // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
    then: answer,
    times: positive.nullish(),
  })
  .transform((value) => given(value) as unknown as LlmRule);

export const llmScriptSchema: z.ZodType<LlmScript> = z
  .strictObject({
    name: z.string().nullish(),
    description: z.string().nullish(),
    model: text.nullish(),
    default_delay_ms: delay.nullish(),
    answers: z.array(rule).nullish(),
    default: answer.nullish(),
  })
  .superRefine(({ answers, default: fallback }, context) => {
    // A misspelt key has been reported already.
    if (answers?.length || fallback != null || context.issues.length > 0) return;
    addError(context, new Error(`this script answers nothing\ngive it "answers" or "default"`));
  })
  .transform((value) => ({ answers: [], ...given(value) }));

const ANSWER_KEYS = ["content", "tool_calls", "finish_reason", "usage", "stream"] as const;

function checkAnswer(value: Record<string, unknown>, context: z.RefinementCtx): void {
  if (value["error"] != null) {
    for (const key of ANSWER_KEYS.filter((name) => value[name] != null)) {
      const message = `an answer with an error has no ${quote(key)}`;
      context.addIssue({
        code: "custom",
        path: [key],
        message,
        params: { at: "key", hint: `keep "error" or ${quote(key)}` },
      });
    }
    return;
  }
  if (value["content"] != null || value["tool_calls"] != null || context.issues.length > 0) return;
  addError(context, new Error(`this answer says nothing\ngive it "content", "tool_calls" or "error"`));
}
