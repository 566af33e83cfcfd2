// The choice among scored candidates: two at random from the best few, and of these the less loaded. Everybody taking the best would
// overrun it before its load is known; two choices are enough to spread work almost evenly.
import { round, type Scored } from "./score.ts";

export interface Pick {
  chosen: Scored;
  reason: string;
}

/** Distance from the best score within which an agent is among the best few, and the largest number of these. */
export const BEST = { within: 0.05, atMost: 8 } as const;

/** Picks one of the best few. `sorted` has the best first; undefined where it is empty. */
export function pickOne(sorted: readonly Scored[], random: () => number): Pick | undefined {
  const [best, second] = sorted;
  if (best === undefined) return undefined;
  if (second === undefined) return { chosen: best, reason: "it is the only one that can" };
  const few = sorted.slice(0, BEST.atMost).filter(({ score }) => score >= best.score - BEST.within);
  if (few.length === 1)
    return {
      chosen: best,
      reason: `it is the best with ${round(best.score)}; the next has ${round(second.score)}`,
    };
  const one = Math.floor(random() * few.length);
  const other = (one + 1 + Math.floor(random() * (few.length - 1))) % few.length;
  const [a = best, b = second] = [few[Math.min(one, other)], few[Math.max(one, other)]];
  const chosen = b.pressure < a.pressure ? b : a;
  const rest = chosen === a ? b : a;
  const how =
    chosen.pressure < rest.pressure
      ? `is less loaded than ${rest.agent}`
      : `is no more loaded than ${rest.agent}`;
  return { chosen, reason: `it ${how}; both were drawn from the ${few.length} best` };
}
