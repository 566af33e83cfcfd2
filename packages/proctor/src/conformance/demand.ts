// How a check says what it wants: it demands, and it assumes. It ends where one of these does not hold, from however deep inside, and has
// found its rule kept when it comes to its end.
import { fail, showValue, unevaluated, type Finding } from "./finding.ts";

class Ended extends Error {
  readonly finding: Finding<unknown>;

  constructor(finding: Finding<unknown>) {
    super(finding.reason ?? finding.outcome);
    this.finding = finding;
  }
}

/** Ends the check with this finding. */
export function end(finding: Finding<unknown>): never {
  throw new Ended(finding);
}

/** Resolves with what a check found. `Evidence` is the kind of evidence that the protocol's rules have. */
export async function findingOf<Evidence>(check: () => Promise<void> | void): Promise<Finding<Evidence>> {
  try {
    await check();
    return { outcome: "pass" };
  } catch (thrown) {
    if (thrown instanceof Ended) return thrown.finding as Finding<Evidence>;
    throw thrown;
  }
}

export interface Seen {
  expected?: string;
  /** What was seen instead; texts are shown as they are, other values as JSON. */
  got?: unknown;
}

/** Returns what the rule expects and what was seen in the form of a finding. */
export function shown({ expected, got }: Seen): Pick<Finding<never>, "expected" | "got"> {
  return {
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got: typeof got === "string" ? got : showValue(got) }),
  };
}

/** Ends the check with a broken rule unless the condition holds. */
export function demand(holds: boolean, reason: string, seen: Seen = {}): asserts holds {
  if (!holds) end({ ...fail(reason), ...shown(seen) });
}

/** Ends the check without an occasion for the rule unless the condition holds. */
export function assume(holds: boolean, reason: string): asserts holds {
  if (!holds) end(unevaluated(reason));
}
