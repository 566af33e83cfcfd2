import { describe, expect, it } from "vitest";
import { createSeededRandom } from "./seeded-random.ts";

describe("createSeededRandom", () => {
  it("repeats itself for the same seed, and only for that", () => {
    const first = (seed: number): number[] => {
      const random = createSeededRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(first(7)).toEqual(first(7));
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    expect(new Set(seeds.map((seed) => first(seed)[0])).size).toBe(seeds.length);
  });

  it("is spread evenly, without a trace of the number before", () => {
    const random = createSeededRandom(1);
    const cells = new Float64Array(100);
    let previous = random.below(10);
    for (let index = 0; index < 100_000; index++) {
      const next = random.below(10);
      const cell = previous * 10 + next;
      cells[cell] = (cells[cell] ?? 0) + 1;
      previous = next;
    }
    const chiSquare = cells.reduce((sum, seen) => sum + (seen - 1000) ** 2 / 1000, 0);
    // The 0.001 and 0.999 points of chi-square with 99 degrees of freedom.
    expect(chiSquare).toBeGreaterThan(60.7);
    expect(chiSquare).toBeLessThan(149);
  });

  it("stays below the bound", () => {
    const random = createSeededRandom(5);
    const drawn = Array.from({ length: 1000 }, () => random.below(3));
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2]));
    expect(random.below(1)).toBe(0);
  });

  it.each([NaN, Infinity, 0.5])("refuses the seed %d", (seed) => {
    expect(() => createSeededRandom(seed)).toThrow("seed must be a whole number");
  });
});
