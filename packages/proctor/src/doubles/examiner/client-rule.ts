// A rule for clients: what a client meets, and what it should have done.
import { assume, demand } from "../../conformance/demand.ts";
import type { AdvisedRule } from "../../conformance/try-rules.ts";
import type { Scenario } from "./scenario.ts";
import { endOf, gaveUp, messagesTo, type Seen } from "./seen.ts";

export interface ClientRule extends AdvisedRule {
  scenario: Scenario;
  /** Judges what was seen; `all` has an entry for each time that the client was started. */
  judge: (seen: Seen, all: readonly Seen[]) => void;
}

/** Demands that the client prints the text that the agent meant for its user. */
export function demandPrinted(seen: Seen, text: string): void {
  const { stdout } = seen.ended;
  demand(stdout.includes(text), `the client ${endOf(seen)}, and did not print the answer`, {
    expected: `${JSON.stringify(text)} on stdout`,
    got: JSON.stringify(stdout.slice(-400)),
  });
}

/** Demands that the client gives up, and says so by its exit code. */
export function demandGivingUp(seen: Seen): void {
  demand(gaveUp(seen), `the client ${endOf(seen)}`, { expected: "another exit code than 0" });
}

/** Assumes that the client sent a message, for rules about what comes after it. */
export function assumeMessage(seen: Seen): void {
  assume(messagesTo(seen.requests).length > 0, `the client ${endOf(seen)}, and sent no message`);
}
