// Passes when the calls that the agent reports are those it made at the run's tool endpoint. The comparison itself is
// the engine's, which records each difference as a violation.
import { z } from "zod";
import type { Violation } from "../../core/event.ts";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { quote } from "../../core/printable.ts";
import { andMore, count } from "../texts/words.ts";

const RULES = new Set(["tool.unobserved", "tool.unreported", "tool.misreported"]);

export const observedEqualsReported: Check<Record<string, never>> = {
  type: "observed_equals_reported",
  config: z.strictObject({}),
  async evaluate(subject) {
    const { options, metrics } = subject.run;
    if (options.tools === undefined)
      return unevaluated("the platform served the run no tools, so that it saw no calls");
    let total = 0;
    let first: { violation: Violation; sequence: number } | undefined;
    for await (const event of subject.events()) {
      if (event.type !== "violation" || !RULES.has(event.payload.rule)) continue;
      total += event.payload.repeated ?? 1;
      first ??= { violation: event.payload, sequence: event.sequence };
    }
    if (!first)
      return pass(`the agent reported what it did: ${count(metrics.observed_tool_calls ?? 0, "call")}`);
    const { violation, sequence } = first;
    return fail(`${quote(violation.message, 300)} in event ${sequence}${andMore(total)}`);
  },
};
