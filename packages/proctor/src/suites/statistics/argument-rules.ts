// What the statistics refuse. A wrong number must not become a figure that looks right, so each rule throws a RangeError.

/** Counts above this are refused: they are a mistake, and the exact sums would take too long. */
export const MAX_COUNT = 1_000_000;

export function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value > MAX_COUNT)
    throw new RangeError(`${name} must be a whole number from 0 to ${MAX_COUNT}, not ${value}`);
}

/** Requires two counts, the first of which is a part of the second. */
export function requirePart(partName: string, part: number, wholeName: string, whole: number): void {
  requireCount(partName, part);
  requireCount(wholeName, whole);
  if (part > whole)
    throw new RangeError(`${partName} (${part}) must not be more than ${wholeName} (${whole})`);
}

/** Requires a rate from 0 to 1, both included. */
export function requireRate(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} must be from 0 to 1, not ${value}`);
}

/** Requires a level of confidence, significance or power between 0 and 1, both excluded. */
export function requireLevel(name: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${name} must be between 0 and 1, not ${value}`);
}

export function requireFinite(name: string, values: readonly number[]): void {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`${name} must be finite numbers, not ${wrong}`);
}
