// Passes when at least so many tools were called.
import type { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { countConfig, countToolCalls } from "../calls/tool-call-count.ts";
import { count } from "../texts/words.ts";

export const minToolCalls: Check<z.output<typeof countConfig>> = {
  type: "min_tool_calls",
  config: countConfig,
  async evaluate(subject, { limit, observed }) {
    const found = await countToolCalls(subject, observed);
    const message = `${count(found, "tool call")}, at least ${limit} expected`;
    return found >= limit ? pass(message) : fail(message);
  },
};
