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

/** Tries something over each way to the agent on which it answers: one that is broken breaks the rule, one that is kept is an occasion. */
export function overEach(
  trial: Trial,
  isTried: (endpoint: Endpoint) => boolean,
  check: (endpoint: Endpoint) => Promise<A2aFinding>,
): Promise<A2aFinding> {
  return overAll(trial, isTried, async (endpoint) => {
    const plain = await trial.plain(endpoint);
    if (plain.value !== undefined) return check(endpoint);
    return noOccasion("it does not answer the plainest message", plain.transcript);
  });
}

/** The first way to the agent on which it answers, or why there is none. */
export async function preferred(trial: Trial): Promise<Endpoint | A2aFinding> {
  const { endpoints } = await trial.found();
  for (const endpoint of endpoints) {
    if ((await trial.plain(endpoint)).value !== undefined) return endpoint;
  }
  return noOccasion("the agent does not answer the plainest message");
}

/** The same, even where the agent does not answer. */
export async function overAll(
  trial: Trial,
  isTried: (endpoint: Endpoint) => boolean,
  check: (endpoint: Endpoint) => Promise<A2aFinding>,
): Promise<A2aFinding> {
  const { endpoints } = await trial.found();
  const tried = endpoints.filter(isTried);
  if (tried.length === 0) return noOccasion("the card names no interface that has this rule");
  const findings = await Promise.all(
    tried.map(async (endpoint) => named(await check(endpoint), endpoint, endpoints.length > 1)),
  );
  return worst(findings);
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
