// Passes when the agent did not go round in circles: the same few calls, with the same input, again and again.
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { observed, toolCalls } from "../calls/tool-calls.ts";
import { count, quoted } from "../texts/words.ts";

const config = z.strictObject({
  /** The longest circle that is looked for, in calls. */
  window: z.int().min(1).max(100).default(3),
  /** So many rounds are a loop. */
  repeats: z.int().min(2).max(1000).default(3),
  observed,
});

export const noLoops: Check<z.output<typeof config>> = {
  type: "no_loops",
  config,
  async evaluate(subject, { window, repeats, observed }) {
    const calls = await toolCalls(subject, observed);
    const keys = calls.map(({ tool = "", input }) => `${tool} ${canonicalJson(input)}`);
    for (let period = 1; period <= window; period++) {
      const start = loopStart(keys, period, repeats);
      if (start === undefined) continue;
      const round = calls.slice(start, start + period);
      const last = calls[start + period * repeats - 1];
      const names = quoted(round.map(({ tool = "?" }) => tool));
      const place = `events ${round[0]?.sequence} to ${last?.sequence}`;
      return fail(`${names} called ${repeats} times in a row with the same input, in ${place}`);
    }
    return pass(`no loop in ${count(calls.length, "call")}`);
  },
};

/** Where `repeats` equal rounds of `period` calls begin. */
function loopStart(keys: readonly string[], period: number, repeats: number): number | undefined {
  const needed = period * (repeats - 1);
  let same = 0;
  for (let index = period; index < keys.length; index++) {
    same = keys[index] === keys[index - period] ? same + 1 : 0;
    if (same === needed) return index - needed - period + 1;
  }
  return undefined;
}
