// Which faults happen to a request: all that are due, by numbers that depend on nothing but the seed, the test case and the turn. So a
// seed replays a whole schedule, however many tests run beside it.
import { hash } from "node:crypto";
import { seededRandom } from "../../agent/seeded-random.ts";
import type { ScriptedFault } from "./fault.ts";

export interface ChosenFaults {
  faults: readonly ScriptedFault[];
  /** Returns random numbers from 0 to below 1 for the faults' random choices. */
  random: () => number;
}

export interface FaultChooser {
  /** Chooses the faults of a request; `scope` is the test case, or the script where there is none. */
  choose(faults: readonly ScriptedFault[], scope: string, turn: number): ChosenFaults;
  /** Forgets how often faults have happened, in one scope or in all. */
  clear(scope?: string): void;
}

const MAX_SCOPES = 10_000;

export function createFaultChooser(seed: number): FaultChooser {
  const happened = new Map<string, Map<ScriptedFault, number>>();

  function isDue(fault: ScriptedFault, scope: string, random: () => number): boolean {
    // A number is always drawn, so that the end of one fault does not change the chances of the next.
    const lucky = fault.chance === undefined || random() < fault.chance;
    if (!lucky || fault.times === undefined) return lucky;
    const counts = happened.get(scope) ?? new Map<ScriptedFault, number>();
    const count = counts.get(fault) ?? 0;
    if (count >= fault.times) return false;
    counts.set(fault, count + 1);
    happened.set(scope, counts);
    const [oldest] = happened.keys();
    if (happened.size > MAX_SCOPES && oldest !== undefined) happened.delete(oldest);
    return true;
  }

  return {
    choose(faults, scope, turn) {
      if (faults.length === 0) return NONE;
      const random = seededRandom(seed + Number.parseInt(hash("sha256", `${turn} ${scope}`).slice(0, 8), 16));
      return { faults: faults.filter((fault) => isDue(fault, scope, random)), random };
    },
    clear: (scope) => (scope === undefined ? happened.clear() : void happened.delete(scope)),
  };
}

const NONE: ChosenFaults = { faults: [], random: () => 0 };
