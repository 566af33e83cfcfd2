// Random numbers that are the same for the same seed, so that a figure in a report can be computed again. Not for secrets.

export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 to `bound` - 1; `bound` is at most 2^32. */
  below(bound: number): number;
}

/** Chris Doty-Humphrey's sfc32 (PractRand): a chaotic 96-bit state and a counter, so no seed has a short cycle. */
export function createSeededRandom(seed: number): SeededRandom {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a whole number, not ${seed}`);
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x2545f491;
  let counter = 1;
  const next32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // Near seeds start near each other; after these rounds they have nothing in common.
  for (let round = 0; round < 15; round++) next32();
  return {
    next: () => next32() / 2 ** 32,
    below: (bound) => Math.floor((next32() / 2 ** 32) * bound),
  };
}
