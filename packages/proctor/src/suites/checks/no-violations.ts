// Passes when the agent broke no rule of its protocol.
import { z } from "zod";
import { findViolations } from "../calls/find-violations.ts";
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
    const found = await findViolations(subject, (rule) => !isExcepted(rule, except));
    if (!found) return pass("no violations");
    const { total, first, sequence } = found;
    const place = first.where === undefined ? "" : ` at ${quote(first.where)}`;
    const what = `${first.rule}${place}, ${quote(first.message, 200)}`;
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
