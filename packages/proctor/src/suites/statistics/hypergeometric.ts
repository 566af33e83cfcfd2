// The hypergeometric distribution: how many of the drawn are marked, when some of a population are marked and some are drawn.

interface Hypergeometric {
  /** The smallest count that is possible; `weights[0]` belongs to it. */
  first: number;
  /** Not normalised; the most likely count weighs 1. What underflows weighs 0. */
  weights: Float64Array;
  total: number;
}

export function hypergeometric(population: number, marked: number, drawn: number): Hypergeometric {
  const first = Math.max(0, drawn + marked - population);
  const last = Math.min(drawn, marked);
  const weights = new Float64Array(last - first + 1);
  const mode = Math.min(last, Math.max(first, Math.floor(((drawn + 1) * (marked + 1)) / (population + 2))));
  const unmarkedLeft = population - marked - drawn;
  // From the mode outwards every step multiplies by a ratio below one: no factorials, and nothing overflows.
  let weight = 1;
  let total = 1;
  weights[mode - first] = 1;
  for (let count = mode; count < last && weight > 0; count++) {
    weight *= ((marked - count) / (count + 1)) * ((drawn - count) / (unmarkedLeft + count + 1));
    weights[count + 1 - first] = weight;
    total += weight;
  }
  weight = 1;
  for (let count = mode; count > first && weight > 0; count--) {
    weight *= (count / (marked - count + 1)) * ((unmarkedLeft + count) / (drawn - count + 1));
    weights[count - 1 - first] = weight;
    total += weight;
  }
  return { first, weights, total };
}

/** P(X <= count). */
export function hypergeometricAtMost({ first, weights, total }: Hypergeometric, count: number): number {
  let sum = 0;
  for (let index = 0; index <= count - first && index < weights.length; index++) sum += weights[index] ?? 0;
  return Math.min(1, sum / total);
}
