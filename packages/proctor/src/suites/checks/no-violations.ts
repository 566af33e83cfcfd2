// Passes when the agent broke no rule of its protocol.
import { z } from "zod";
import type { Violation } from "../../core/event.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { andMore } from "../texts/words.ts";

const config = z.strictObject({
  /** Rules that do not count: `atp.sequence.gap`, or `atp.sequence.*` for all below. */
  except: z.array(z.string().min(1)).default([]),
});

/** What the client's own request did wrong is not the agent's fault. */
const NOT_THE_AGENT = "atp.request";

export const noViolations: Check<z.output<typeof config>> = {
  type: "no_violations",
  config,
  async evaluate(subject, { except }) {
    let total = 0;
    let first: { violation: Violation; sequence: number } | undefined;
    for await (const event of subject.events()) {
      if (event.type !== "violation" || isExcepted(event.payload.rule, except)) continue;
      total += event.payload.repeated ?? 1;
      first ??= { violation: event.payload, sequence: event.sequence };
    }
    if (!first) return pass("no violations");
    const { violation, sequence } = first;
    const place = violation.where === undefined ? "" : ` at ${quote(violation.where)}`;
    const what = `${violation.rule}${place}, ${quote(violation.message, 200)}`;
    return fail(`${what}, in event ${sequence}${andMore(total)}`, {
      violations: total,
      first_sequence: sequence,
    });
  },
};

function isExcepted(rule: string, except: readonly string[]): boolean {
  return (
    rule === NOT_THE_AGENT ||
    except.some((name) => (name.endsWith(".*") ? rule.startsWith(name.slice(0, -1)) : rule === name))
  );
}
