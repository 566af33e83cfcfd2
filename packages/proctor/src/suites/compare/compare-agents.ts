// Two agents on the same tests: their results as two sides, and which of them did better.
import { formatCount, plural } from "../reporters/amounts.ts";
import type { Comparison, ResultSet } from "./comparison.ts";
import { comparedCases, whyNothing } from "./coverage.ts";
import { medianOf } from "./side-of-case.ts";

/** Returns the cases of one of several agents as a side of its own, without the agent's name, so that they match the other side. */
export function resultsOfAgent(set: ResultSet, agent: string): ResultSet {
  // One invocation ran both agents, so nothing was edited in between.
  const cases = set.cases.filter((one) => one.agent === agent).map((one) => ({ ...one, agent: "", key: "" }));
  return { ...set, name: agent, cases };
}

/** Aligns two files of one agent each: if the agents differ, they are compared, and otherwise the files. */
export function alignAgents(before: ResultSet, after: ResultSet): [ResultSet, ResultSet] {
  const [first, second] = [agentOf(before), agentOf(after)];
  if (first === undefined || second === undefined || first === second) return [before, after];
  return [resultsOfAgent(before, first), resultsOfAgent(after, second)];
}

function agentOf({ cases }: ResultSet): string | undefined {
  const [one, ...others] = new Set(cases.map(({ agent }) => agent));
  return others.length === 0 ? one : undefined;
}

export interface Verdict {
  /** The better agent; null when no difference was found, or when each is better at something. */
  winner: string | null;
  text: string;
}

/** Decides by which tests pass and how often, and by nothing else. */
export function decideWinner(comparison: Comparison): Verdict {
  const { before, after, overall, cases, alpha, regression } = comparison;
  const improved = cases.filter(({ change }) => change === "improved").length;
  const regressed = cases.filter(({ change }) => change === "regressed").length;
  const better = improved > 0 || (overall.p_better_adjusted ?? 1) <= alpha;
  if (regression && better) {
    const text = `no winner: ${before.name} is better at ${plural(regressed, "test")}, ${after.name} at ${formatCount(improved)}`;
    return { winner: null, text };
  }
  if (regression) return { winner: before.name, text: `${before.name} is better than ${after.name}` };
  if (better) return { winner: after.name, text: `${after.name} is better than ${before.name}` };
  const why = whyNothing(cases, { before: before.name, after: after.name });
  if (why !== undefined) return { winner: null, text: `not compared: ${why}` };
  const compared = comparedCases(cases).length;
  const where =
    compared === cases.length
      ? ""
      : ` in the ${formatCount(compared)} of ${plural(cases.length, "test")} that could be compared`;
  return { winner: null, text: `no difference found${where}${couldHaveShown(comparison)}` };
}

function couldHaveShown({ overall, cases }: Comparison): string {
  const { detectable_flips: flips, cases: compared } = overall;
  const drops = cases.flatMap(({ p_worse, detectable_drop }) =>
    p_worse === null ? [] : [detectable_drop ?? Infinity],
  );
  const runs = cases.reduce((sum, { before, after }) => sum + (before?.runs ?? 0) + (after?.runs ?? 0), 0);
  const drop = medianOf(drops) ?? Infinity;
  const shown = [
    ...(flips <= compared
      ? [`of ${Math.ceil((flips / compared) * 100)} points (${flips} of ${plural(compared, "test")})`]
      : []),
    ...(drop === Infinity ? [] : [`of ${Math.ceil(drop * 100)} points in one test`]),
  ];
  if (shown.length === 0) return `; ${plural(runs, "run")} are too few to show any`;
  return `; these ${plural(runs, "run")} could have shown a difference ${shown.join(", or ")}`;
}
