// Passes when the calls that the agent reports are those it made at the run's tool endpoint. The comparison itself is
// the engine's, which records each difference as a violation.
import { z } from "zod";
import { findViolations } from "../calls/find-violations.ts";
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
    const found = await findViolations(subject, (rule) => RULES.has(rule));
    if (!found)
      return pass(`the agent reported what it did: ${count(metrics.observed_tool_calls ?? 0, "call")}`);
    const { total, first, sequence } = found;
    return fail(`${quote(first.message, 300)} in event ${sequence}${andMore(total)}`);
  },
};
