// Passes when none of these tools was called.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { observed, toolCalls, toolNames, unnamed } from "../calls/tool-calls.ts";
import { andMore, quoted } from "../texts/words.ts";

const config = z.strictObject({ tools: toolNames, observed });

export const forbiddenTools: Check<z.output<typeof config>> = {
  type: "forbidden_tools",
  config,
  async evaluate(subject, { tools, observed }) {
    const calls = await toolCalls(subject, observed);
    const wrong = calls.filter(({ tool }) => tool !== undefined && tools.includes(tool));
    const [first] = wrong;
    if (first?.tool !== undefined) {
      return fail(`${quoted([first.tool])} called in event ${first.sequence}${andMore(wrong.length)}`);
    }
    const unclear = unnamed(calls);
    if (unclear !== undefined) return unevaluated(`none of ${quoted(tools)} called, but ${unclear}`);
    return pass(`none of ${quoted(tools)} called`);
  },
};
