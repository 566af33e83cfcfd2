// Passes when each of these tools was called.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { listCalls, observed, toolCalls, toolNames, unnamed } from "../calls/tool-calls.ts";
import { quoted } from "../texts/words.ts";

const config = z.strictObject({ tools: toolNames, observed });

export const mustUseTools: Check<z.output<typeof config>> = {
  type: "must_use_tools",
  config,
  async evaluate(subject, { tools, observed }) {
    const calls = await toolCalls(subject, observed);
    const used = new Set(calls.map(({ tool }) => tool));
    const missing = tools.filter((tool) => !used.has(tool));
    if (missing.length === 0) return pass(`${quoted(tools)} called`);
    const unclear = unnamed(calls);
    if (unclear !== undefined) return unevaluated(`${quoted(missing)} not called, but ${unclear}`);
    return fail(`${quoted(missing)} not called; ${listCalls(calls)}`);
  },
};
