// A rule for clients: what a client meets, and what it should have done.
import { fail, pass, unevaluated, type Finding } from "../../conformance/finding.ts";
import type { AdvisedRule } from "../../conformance/try-rules.ts";
import type { Scenario } from "./scenario.ts";
import { endOf, messagesTo, type Seen } from "./seen.ts";

export interface ClientRule extends AdvisedRule {
  scenario: Scenario;
  /** All that was seen, once for each time that the client was started. */
  judge: (seen: Seen, all: readonly Seen[]) => ClientFinding;
}

export type ClientFinding = Finding<readonly Seen[]>;

/** Passes where the client printed the text that the agent meant for its user. */
export function printed(seen: Seen, text: string): ClientFinding {
  if (seen.ended.stdout.includes(text)) return pass();
  return {
    ...fail(`the client ${endOf(seen)}, and did not print the answer`),
    expected: `${JSON.stringify(text)} on stdout`,
    got: JSON.stringify(seen.ended.stdout.slice(-400)),
  };
}

/** For rules about what comes after a message. */
export function afterMessage(seen: Seen, judge: () => ClientFinding): ClientFinding {
  if (messagesTo(seen.requests).length > 0) return judge();
  return unevaluated(`the client ${endOf(seen)}, and sent no message`);
}
