// What trying a rule of A2A showed: a finding with the exchange behind it, and the command line that repeats it.
import { end, findingOf, shown, type Seen } from "../../../conformance/demand.ts";
import { fail, unevaluated, type Finding } from "../../../conformance/finding.ts";
import type { Endpoint } from "./endpoint.ts";
import { commandOf, type Transcript } from "./transcript.ts";
import type { Trial } from "./trial.ts";

export type A2aFinding = Finding<Transcript>;
export type Check = (trial: Trial) => Promise<A2aFinding>;

export function broken(reason: string, transcript?: Transcript, seen: Seen = {}): A2aFinding {
  const reproduce = transcript && { reproduce: commandOf(transcript) };
  return { ...fail(reason, transcript), ...shown(seen), ...reproduce };
}

export function noOccasion(reason: string, transcript?: Transcript): A2aFinding {
  return unevaluated(reason, transcript);
}

export const KEPT: A2aFinding = { outcome: "pass" };

/** Reports the rule as broken unless the condition holds. */
export function demand(holds: boolean, reason: string, transcript?: Transcript, seen?: Seen): asserts holds {
  if (!holds) end(broken(reason, transcript, seen));
}

/** Reports the rule as not applicable unless the condition holds. */
export function assume(holds: boolean, reason: string, transcript?: Transcript): asserts holds {
  if (!holds) end(noOccasion(reason, transcript));
}

export type CheckAt = (endpoint: Endpoint, trial: Trial) => Promise<void> | void;

/** Tries something over each endpoint that answers: one that breaks the rule decides; otherwise one that keeps it does. */
export function overEach(isTried: (endpoint: Endpoint) => boolean, check: CheckAt): Check {
  return overAll(isTried, async (endpoint, trial) => {
    const { value, transcript } = await trial.plain(endpoint);
    assume(value !== undefined, "it does not answer the plainest message", transcript);
    await check(endpoint, trial);
  });
}

/** Does the same as `overEach`, even where the agent does not answer. */
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

/** Tries something over the first endpoint that answers. */
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

/** Returns a failure if there is one, or else a finding that was kept. */
export function worst(findings: readonly A2aFinding[]): A2aFinding {
  const failed = findings.find(({ outcome }) => outcome === "fail");
  const passed = findings.find(({ outcome }) => outcome === "pass");
  return failed ?? passed ?? findings[0] ?? noOccasion("nothing could be tried");
}

/** Says at which of several endpoints it was found. */
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

/** Combines two conditions: both have to hold. */
export const both =
  (one: (endpoint: Endpoint) => boolean, other: (endpoint: Endpoint) => boolean) =>
  (endpoint: Endpoint): boolean =>
    one(endpoint) && other(endpoint);
