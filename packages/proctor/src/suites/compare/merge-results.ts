// Results of several machines that shared one suite, as one.
import { ProctorError } from "../../core/errors.ts";
import { caseIdentifier } from "../plan.ts";
import { quote } from "../../core/printable.ts";
import type { ResultCase, ResultSet } from "./comparison.ts";

/** Throws USAGE when a case is in more than one: counted twice, a result looks surer than it is. */
export function mergeResults(sets: readonly ResultSet[]): ResultSet {
  const [first, ...others] = sets;
  if (first === undefined) throw new RangeError("there is nothing to merge");
  if (others.length === 0) return first;
  const homes = new Map<string, ResultSet>();
  for (const set of sets) {
    for (const one of set.cases) {
      const name = caseIdentifier(one.suite, one.test_id, one.agent);
      const home = homes.get(name);
      if (home !== undefined && home !== set) throw inBoth(one, home, set);
      homes.set(name, set);
    }
  }
  const incomplete = sets.flatMap(({ name, incomplete }) =>
    incomplete === undefined ? [] : [`${name}: ${incomplete}`],
  );
  return {
    name: sets.map(({ name }) => name).join(" + "),
    created_at:
      sets
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1) ?? first.created_at,
    cases: sets.flatMap(({ cases }) => cases),
    ...(incomplete.length > 0 && { incomplete: incomplete.join("; ") }),
  };
}

function inBoth({ test_id, agent }: ResultCase, one: ResultSet, other: ResultSet): ProctorError {
  return new ProctorError(
    "USAGE",
    `the case ${quote(`${test_id} [${agent}]`)} is in ${one.name} and in ${other.name}\nname each part of the results once`,
  );
}
