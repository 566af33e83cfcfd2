// What trying a rule of A2A showed: a finding with the exchange behind it, and the command line that repeats it.
import { showValue, type Finding } from "../../../conformance/finding.ts";
import type { Endpoint } from "./endpoint.ts";
import { commandOf, type Transcript } from "./transcript.ts";
import type { Trial } from "./trial.ts";

export type A2aFinding = Finding<Transcript>;
export type Check = (trial: Trial) => Promise<A2aFinding>;

export interface Seen {
  expected?: string;
  /** What was seen instead; texts as they are, the rest as JSON. */
  got?: unknown;
}

export function broken(reason: string, transcript?: Transcript, { expected, got }: Seen = {}): A2aFinding {
  return {
    outcome: "fail",
    reason,
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got: typeof got === "string" ? got : showValue(got) }),
    ...(transcript && { reproduce: commandOf(transcript), evidence: transcript }),
  };
}

export function noOccasion(reason: string, transcript?: Transcript): A2aFinding {
  return { outcome: "unevaluated", reason, ...(transcript && { evidence: transcript }) };
}

export const KEPT: A2aFinding = { outcome: "pass" };

/** What ends a check at once, from however deep inside of it. */
class Ended extends Error {
  readonly finding: A2aFinding;

  constructor(finding: A2aFinding) {
    super(finding.reason ?? finding.outcome);
    this.finding = finding;
  }
}

export function end(finding: A2aFinding): never {
  throw new Ended(finding);
}

/** The rule is broken, unless this holds. */
export function demand(holds: boolean, reason: string, transcript?: Transcript, seen?: Seen): asserts holds {
  if (!holds) end(broken(reason, transcript, seen));
}

/** The rule has no occasion, unless this holds. */
export function assume(holds: boolean, reason: string, transcript?: Transcript): asserts holds {
  if (!holds) end(noOccasion(reason, transcript));
}

/** A rule that a check comes to the end of is kept. */
export async function findingOf(check: () => Promise<void> | void): Promise<A2aFinding> {
  try {
    await check();
    return KEPT;
  } catch (thrown) {
    if (thrown instanceof Ended) return thrown.finding;
    throw thrown;
  }
}

export type CheckAt = (endpoint: Endpoint, trial: Trial) => Promise<void> | void;

/** Tries something over each way to the agent on which it answers: one that is broken breaks the rule, one that is kept is an occasion. */
export function overEach(isTried: (endpoint: Endpoint) => boolean, check: CheckAt): Check {
  return overAll(isTried, async (endpoint, trial) => {
    const { value, transcript } = await trial.plain(endpoint);
    assume(value !== undefined, "it does not answer the plainest message", transcript);
    await check(endpoint, trial);
  });
}

/** The same, even where the agent does not answer. */
export function overAll(isTried: (endpoint: Endpoint) => boolean, check: CheckAt): Check {
  return async (trial) => {
    const { endpoints } = await trial.found();
    const tried = endpoints.filter(isTried);
    if (tried.length === 0) return noOccasion("the card names no interface that has this rule");
    const findings = await Promise.all(
      tried.map(async (endpoint) =>
        named(await findingOf(() => check(endpoint, trial)), endpoint, endpoints.length > 1),
      ),
    );
    return worst(findings);
  };
}

/** The same over the first way to the agent on which it answers. */
export function overOne(check: CheckAt): Check {
  return (trial) => findingOf(async () => check(await preferred(trial), trial));
}

export async function preferred(trial: Trial): Promise<Endpoint> {
  const { endpoints } = await trial.found();
  for (const endpoint of endpoints) {
    if ((await trial.plain(endpoint)).value !== undefined) return endpoint;
  }
  return end(noOccasion("the agent does not answer the plainest message"));
}

/** A failure if there is one, or else something that was kept. */
export function worst(findings: readonly A2aFinding[]): A2aFinding {
  const failed = findings.find(({ outcome }) => outcome === "fail");
  const passed = findings.find(({ outcome }) => outcome === "pass");
  return failed ?? passed ?? findings[0] ?? noOccasion("nothing could be tried");
}

/** Says at which of several doors it was. */
export function named(finding: A2aFinding, { name }: Endpoint, isOneOfMany: boolean): A2aFinding {
  if (finding.reason === undefined || !isOneOfMany) return finding;
  return { ...finding, reason: `over ${name}: ${finding.reason}` };
}

export const anyway = (): boolean => true;
export const inVersion1 = ({ version }: Endpoint): boolean => version === "1.0";
export const overJsonRpc = ({ binding }: Endpoint): boolean => binding === "JSONRPC";
export const overRest = ({ binding }: Endpoint): boolean => binding === "HTTP+JSON";
export const overGrpc = ({ binding }: Endpoint): boolean => binding === "GRPC";
export const overHttp = ({ binding }: Endpoint): boolean => binding !== "GRPC";

/** Both at once. */
export const both =
  (one: (endpoint: Endpoint) => boolean, other: (endpoint: Endpoint) => boolean) =>
  (endpoint: Endpoint): boolean =>
    one(endpoint) && other(endpoint);
