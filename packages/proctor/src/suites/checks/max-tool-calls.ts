// Passes when no more tools were called than this.
import type { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { countConfig, countToolCalls } from "../calls/tool-call-count.ts";
import { count } from "../texts/words.ts";

export const maxToolCalls: Check<z.output<typeof countConfig>> = {
  type: "max_tool_calls",
  config: countConfig,
  async evaluate(subject, { limit, observed }) {
    const { tool_calls: said = 0, observed_tool_calls: seen = 0 } = subject.run.metrics;
    const known = observed ? seen : said;
    // So that a run with more calls than can be held fails all the same.
    const found = known > limit ? known : await countToolCalls(subject, observed);
    const message = `${count(found, "tool call")}, at most ${limit} expected`;
    return found <= limit ? pass(message) : fail(message);
  },
};
