// Passes when the run's log has a given number of events of a kind.
import { z } from "zod";
import type { EventType, RunEvent } from "../../core/event.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { count } from "../texts/words.ts";

const KINDS: readonly string[] = Object.keys({
  tool_call: true,
  llm_request: true,
  reasoning: true,
  state_change: true,
  artifact_created: true,
  error: true,
  progress: true,
  "run.created": true,
  "run.queued": true,
  "run.started": true,
  "run.paused": true,
  "run.resumed": true,
  "run.cancel_requested": true,
  "run.pause_requested": true,
  "run.resume_requested": true,
  "run.ended": true,
  "artifact.added": true,
  "artifact.removed": true,
  "artifact.opened": true,
  "artifact.extended": true,
  "message.added": true,
  "message.opened": true,
  "message.extended": true,
  "message.closed": true,
  "message.delivered": true,
  "question.asked": true,
  "question.answered": true,
  "question.withdrawn": true,
  "question.expired": true,
  "question.delivered": true,
  "session.opened": true,
  "session.parked": true,
  "step.added": true,
  "step.changed": true,
  "process.exited": true,
  log: true,
  "workspace.kept": true,
  "environment.opened": true,
  "tool.called": true,
  "wire.message": true,
  violation: true,
  unknown: true,
} satisfies Record<EventType, true>);

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
    if (KINDS.includes(kind) || kind.startsWith(UNKNOWN)) return;
    const hint = didYouMean(kind, KINDS, `an agent's own kind is written ${UNKNOWN}${kind}`);
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
