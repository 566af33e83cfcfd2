// A tool call as `behavior` describes it: its tool, and what its status, input and output should be.
import { z } from "zod";
import type { ToolCall } from "./tool-calls.ts";
import { applyRule, checkRule, payloadRuleShape } from "../json/json-rule.ts";
import { quote } from "../../core/printable.ts";

const rule = z
  .strictObject(payloadRuleShape)
  .superRefine((rule, context) => checkRule(rule, context, ["equals", "exists", "absent"]));

export const expectedCall = z.strictObject({
  tool: z.string().min(1),
  status: z.string().min(1).optional(),
  input_matches: z.array(rule).default([]),
  output_matches: z.array(rule).default([]),
});

export type ExpectedCall = z.output<typeof expectedCall>;

/** Returns the reason why this call is not the expected one, or undefined. */
export function mismatch(expected: ExpectedCall, call: ToolCall): string | undefined {
  if (call.tool !== expected.tool) return "another tool";
  if (expected.status !== undefined && call.status !== expected.status)
    return `status ${quote(expected.status)} expected, found ${call.status === undefined ? "none" : quote(call.status)}`;
  for (const rule of expected.input_matches) {
    const { holds, message } = applyRule(rule, call.input);
    if (!holds) return `input ${message}`;
  }
  for (const rule of expected.output_matches) {
    const { holds, message } = applyRule(rule, call.output);
    if (!holds) return `output ${message}`;
  }
  return undefined;
}

/** Returns the reason why none of the calls is the expected one, taken from the last call of the same tool. */
export function whyNone(expected: ExpectedCall, calls: readonly ToolCall[]): string {
  const close = calls.findLast(({ tool }) => tool === expected.tool);
  if (!close) return `no call of ${quote(expected.tool)}`;
  return `no such call of ${quote(expected.tool)}: event ${close.sequence}, ${mismatch(expected, close) ?? "too early"}`;
}
