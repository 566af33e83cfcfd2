// Pass when each of some tools was called (`must_use_tools`), or none of them was (`forbidden_tools`).
import { z } from "zod";
import { listCalls, observed, toolCalls, toolNames, unnamed } from "../calls/tool-calls.ts";
import type { Check } from "../check.ts";
import { andMore, quoted } from "../texts/words.ts";
import { fail, pass, unevaluated } from "../verdict.ts";

const config = z.strictObject({ tools: toolNames, observed });

type NamedTools = Check<z.output<typeof config>>;

export const mustUseTools: NamedTools = {
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

export const forbiddenTools: NamedTools = {
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
