// The violations that a run's log holds of some rules, counted, with the first of them for messages.
import type { Violation } from "../../core/event.ts";
import type { CheckSubject } from "../check.ts";

interface Violations {
  /** The number of violations, those that were folded into one event included. */
  total: number;
  first: Violation;
  /** The sequence of the event that holds the first one. */
  sequence: number;
}

/** Resolves with undefined when there are no violations. */
export async function findViolations(
  subject: CheckSubject,
  counts: (rule: string) => boolean,
): Promise<Violations | undefined> {
  let found: Violations | undefined;
  for await (const { type, payload, sequence } of subject.events()) {
    if (type !== "violation" || !counts(payload.rule)) continue;
    found ??= { total: 0, first: payload, sequence };
    found.total += payload.repeated ?? 1;
  }
  return found;
}
