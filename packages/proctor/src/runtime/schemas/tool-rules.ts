// The rules of a mock tool as they are written in YAML: the answer to each input.
import { messageOf } from "../../core/message-of.ts";
import { z } from "zod";
import { given } from "../../core/given.ts";
import { parseJsonPath } from "../../core/json-path.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Matcher, MockAnswer, MockRule } from "../../core/tools.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { addError, dispatch } from "../yaml/findings.ts";
import { integerUpTo, json } from "../yaml/scalars.ts";

/** Longest delay in milliseconds: as long as a run may be. */
const MAX_DELAY_MS = 86_400_000;

export const delay = integerUpTo(0, MAX_DELAY_MS);

const text = z.string().min(1);

export const mockAnswer: z.ZodType<MockAnswer> = z
  .strictObject({
    output: json.optional(),
    error: z.string().nullish(),
    error_code: text.nullish(),
    status: text.nullish(),
    delay_ms: delay.nullish(),
    http_status: integerUpTo(200, 599).nullish(),
  })
  .transform(given);

const answers: z.ZodType<MockAnswer[]> = z
  .array(mockAnswer)
  .refine((list) => list.length > 0, `"then" needs at least one answer`);

const answerOrList = dispatch<MockAnswer | MockAnswer[]>((value) =>
  Array.isArray(value) ? answers : mockAnswer,
);

const matcher: z.ZodType<Matcher> = z
  .strictObject({
    type: z.enum(["exact", "contains", "regex", "json_path", "any"]),
    field: text.nullish(),
    pattern: json.optional(),
  })
  .superRefine(checkMatcher)
  .transform(({ type, field, pattern }) => ({
    type,
    ...(field != null && { field }),
    ...(pattern !== undefined && { pattern }),
  }));

export const mockRule: z.ZodType<MockRule> = z
  .strictObject({
    // The ATP platform's files leave it empty when any input matches.
    when: z.preprocess((value) => (isEmpty(value) ? undefined : value), matcher.optional()),
    // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
    then: answerOrList,
  })
  .transform((rule): MockRule => {
    const { when, ...rest } = rule;
    return when ? { when, ...rest } : rest;
  });

function isEmpty(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

interface RawMatcher {
  type: Matcher["type"];
  field?: string | null | undefined;
  pattern?: Json | undefined;
}

function checkMatcher({ type, field, pattern }: RawMatcher, context: z.RefinementCtx): void {
  const refuse = (message: string, path: string[] = []): void => addError(context, new Error(message), path);
  switch (type) {
    case "any":
      if (field != null || pattern != null)
        refuse(`"any" matches every call\nremove "field" and "pattern", or name another type`);
      return;
    case "json_path":
      if (field == null)
        return refuse(`missing key "field"\nwith "json_path" it is the path, like $.items[0].id`);
      try {
        parseJsonPath(field);
      } catch (error) {
        addError(context, error, ["field"]);
      }
      return;
    case "exact":
      if (pattern === undefined) refuse(`missing key "pattern"`);
      return;
    case "contains":
    case "regex":
      if (pattern === undefined) return refuse(`missing key "pattern"`);
      if (typeof pattern !== "string") return refuse(`"pattern" must be text\nput it in quotes`, ["pattern"]);
      if (type === "regex") checkRegex(pattern, context);
      return;
    default:
      return type satisfies never;
  }
}

function checkRegex(pattern: string, context: z.RefinementCtx): void {
  try {
    parsePattern(pattern);
  } catch (error) {
    const why = messageOf(error);
    addError(context, new Error(`"pattern" is no regular expression: ${why}`), ["pattern"]);
  }
}
