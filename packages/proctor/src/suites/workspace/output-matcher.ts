// What a stream of a command should hold.
import { z } from "zod";
import { isTooDeep } from "../../core/json-depth.ts";
import type { JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import { parseJson } from "../json/parse-json.ts";
import { compared } from "../texts/compared.ts";
import { applyRule, checkRule, payloadRuleShape } from "../json/json-rule.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { checkPattern, compilePattern } from "../patterns/pattern.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

const jsonRule = z
  .strictObject({ ...payloadRuleShape, matches: z.string().min(1).optional(), contains: json.optional() })
  .superRefine((rule, context) => checkRule(rule, context));

export const outputMatcher = z
  .strictObject({
    contains: z.string().min(1).optional(),
    /** The whole output, except for line breaks at its end. */
    equals: z.string().optional(),
    regex: z.string().min(1).optional(),
    /** The rule of the check `json_path`, applied to the whole output as JSON. */
    json_path: jsonRule.optional(),
  })
  .superRefine((matcher, context) => {
    if (matcher.regex !== undefined) checkPattern(matcher.regex, context, "regex");
    if (Object.values(matcher).every((value) => value === undefined))
      context.addIssue({ code: "custom", message: "give one of contains, equals, regex, json_path" });
  });

type OutputMatcher = z.output<typeof outputMatcher>;

interface Mismatch {
  message: string;
  details?: JsonObject;
}

/** Returns undefined when the output is as expected. */
export function findMismatch(matcher: OutputMatcher, text: string, stream: string): Mismatch | undefined {
  const { contains, equals, regex, json_path: rule } = matcher;
  const found = `: ${quote(text, 200)}`;
  if (equals !== undefined && withoutEnd(text) !== withoutEnd(equals))
    return { message: `${stream} is not ${quote(equals, 120)}${found}`, details: compared(equals, text) };
  if (contains !== undefined && !text.includes(contains))
    return { message: `${stream} does not contain ${quote(contains, 120)}${found}` };
  if (regex !== undefined && !compilePattern(regex, true)([text]))
    return { message: `${stream} does not match ${String(parsePattern(regex))}${found}` };
  if (rule === undefined) return undefined;
  const value = isTooDeep(text) ? undefined : parseJson(text);
  if (value === undefined) return { message: `${stream} is no JSON${found}` };
  const { holds, message } = withinCpuTime("the pattern", () => applyRule(rule, value));
  return holds ? undefined : { message: `${stream} ${message}` };
}

function withoutEnd(text: string): string {
  return text.replace(/[\r\n]{1,1000}$/, "");
}
