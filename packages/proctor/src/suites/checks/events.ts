// Passes when the run's log has a given number of events of a kind.
import { z } from "zod";
import type { RunEvent } from "../../core/event.ts";
import { EVENT_TYPES } from "../../core/event-types.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { count } from "../texts/words.ts";

/** The prefix of an event's own name when Proctor does not know that event. */
const UNKNOWN = "unknown:";

const amount = z.int().min(0);
const config = z
  .strictObject({
    kind: z.string().min(1),
    at_least: amount.optional(),
    at_most: amount.optional(),
  })
  .superRefine(({ kind, at_least: least = 0, at_most: most = Infinity }, context) => {
    if (least > most) context.addIssue({ code: "custom", message: `"at_least" is more than "at_most"` });
    if (EVENT_TYPES.includes(kind) || kind.startsWith(UNKNOWN)) return;
    const hint = didYouMean(kind, EVENT_TYPES, `an agent's own kind is written ${UNKNOWN}${kind}`);
    context.addIssue({
      code: "custom",
      path: ["kind"],
      message: `unknown event ${quote(kind)}`,
      params: { hint },
    });
  });

export const events: Check<z.output<typeof config>> = {
  type: "events",
  config,
  async evaluate(subject, { kind, at_most: most, at_least: least = most === undefined ? 1 : 0 }) {
    let found = 0;
    for await (const event of subject.events()) if (isOf(event, kind)) found += 1;
    const limits = [least > 0 ? `at least ${least}` : "", most === undefined ? "" : `at most ${most}`];
    const expected = limits.filter((limit) => limit !== "").join(" and ") || "any number";
    const message = `${count(found, "event")} of kind ${quote(kind)}, ${expected} expected`;
    return found >= least && found <= (most ?? Infinity) ? pass(message) : fail(message);
  },
};

function isOf(event: RunEvent, kind: string): boolean {
  if (event.type === "unknown" && kind.startsWith(UNKNOWN))
    return event.payload.event_type === kind.slice(UNKNOWN.length);
  return event.type === kind;
}
