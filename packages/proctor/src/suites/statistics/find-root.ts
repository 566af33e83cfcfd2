// Where a monotone function crosses zero. False position, with a halving whenever that has not halved the bracket itself.

const TOLERANCE = 1e-13;
const MAX_STEPS = 200;

/** `valueAt` must have different signs at `low` and `high`; infinite values are taken for their sign. */
export function findRoot(valueAt: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  let [valueA, valueB] = [valueAt(a), valueAt(b)];
  for (let step = 0; step < MAX_STEPS && b - a > TOLERANCE; step++) {
    const width = b - a;
    for (const guess of [falsePosition(a, valueA, b, valueB), undefined]) {
      if (guess === undefined && b - a < width / 2) break;
      const x = guess ?? (a + b) / 2;
      const value = valueAt(x);
      if (value === 0) return x;
      if (value > 0 === valueA > 0) [a, valueA] = [x, value];
      else [b, valueB] = [x, value];
    }
  }
  return (a + b) / 2;
}

function falsePosition(a: number, valueA: number, b: number, valueB: number): number | undefined {
  const x = a + ((b - a) * valueA) / (valueA - valueB);
  // A guess at the very edge would leave the bracket as wide as it is, so it is moved inside by what is still tolerated.
  return Number.isFinite(x) ? Math.min(b - TOLERANCE / 2, Math.max(a + TOLERANCE / 2, x)) : undefined;
}
