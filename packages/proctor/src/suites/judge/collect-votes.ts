// Several answers of a judge to one question. All are needed: when one fails, the others are called off.
import type { Judge } from "../check.ts";
import { consult, type Consultation, type Consulted } from "./consult.ts";

/** The number of questions at once; a judge has limits of its own, and more would only wait there. */
const AT_ONCE = 5;

export async function collectVotes<T>(
  judge: Judge,
  votes: number,
  consultation: Omit<Consultation<T>, "vote">,
  signal: AbortSignal,
): Promise<Consulted<T>[]> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const collected: Consulted<T>[] = [];
  for (let from = 1; from <= votes; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, votes - from + 1);
    const asked = Array.from({ length: count }, (_, index) =>
      consult(judge, { ...consultation, vote: from + index }, both),
    );
    try {
      collected.push(...(await Promise.all(asked)));
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled(asked);
      throw error;
    }
  }
  return collected;
}
