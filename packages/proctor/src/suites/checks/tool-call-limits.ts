// Pass when at most, or at least, a number of tools were called. The number is the larger of what the agent says in its answer
// and what its events add up to.
import { z } from "zod";
import { observed, toolCalls } from "../calls/tool-calls.ts";
import type { Check, CheckSubject } from "../check.ts";
import { count } from "../texts/words.ts";
import { fail, pass } from "../verdict.ts";

const config = z.strictObject({ limit: z.int().min(0), observed });

type ToolCallLimit = Check<z.output<typeof config>>;

export const maxToolCalls: ToolCallLimit = {
  type: "max_tool_calls",
  config,
  async evaluate(subject, { limit, observed }) {
    const { tool_calls: said = 0, observed_tool_calls: seen = 0 } = subject.run.metrics;
    const known = observed ? seen : said;
    // A run with more calls than can be held fails all the same.
    const found = known > limit ? known : await countToolCalls(subject, observed);
    const message = `${count(found, "tool call")}, at most ${limit} expected`;
    return found <= limit ? pass(message) : fail(message);
  },
};

export const minToolCalls: ToolCallLimit = {
  type: "min_tool_calls",
  config,
  async evaluate(subject, { limit, observed }) {
    const found = await countToolCalls(subject, observed);
    const message = `${count(found, "tool call")}, at least ${limit} expected`;
    return found >= limit ? pass(message) : fail(message);
  },
};

async function countToolCalls(subject: CheckSubject, observed: boolean): Promise<number> {
  const { length } = await toolCalls(subject, observed);
  return observed ? length : Math.max(length, subject.run.metrics.tool_calls ?? 0);
}
