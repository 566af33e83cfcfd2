import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fisherExact } from "./fisher.ts";
import { pairedPermutation, twoSamplePermutation } from "./permutation.ts";
import { createSeededRandom } from "./seeded-random.ts";

// Cross-fertilised minus self-fertilised plants, in eighths of an inch.
const DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

// B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), table 2.1: mice, control and treated.
const CONTROL = [52, 104, 146, 10, 51, 30, 40, 27, 46];
const TREATED = [94, 197, 16, 38, 99, 141, 23];

const score = fc.integer({ min: -20, max: 20 });

describe("pairedPermutation", () => {
  it("counts as Fisher did: 863 of 32768 in one direction (The Design of Experiments, section 21)", () => {
    const { greater, two_sided, exact } = pairedPermutation(DARWIN);
    expect(greater * 2 ** 15).toBe(863);
    expect(two_sided * 2 ** 15).toBe(1726);
    expect(exact).toBe(true);
  });

  it("tries all of 2^16, and draws above that: the same each time", () => {
    expect(pairedPermutation([...DARWIN, 7]).exact).toBe(true);
    const drawn = pairedPermutation([...DARWIN, 7, 7]);
    expect(drawn.exact).toBe(false);
    expect(pairedPermutation([...DARWIN, 7, 7])).toEqual(drawn);
    expect(pairedPermutation([...DARWIN, 7, 7], { seed: 2 })).not.toEqual(drawn);
  });

  it("draws what counting would give: with differences of 1 it is the sign test", () => {
    const drawn = pairedPermutation(Array.from({ length: 20 }, (_, index) => (index < 14 ? 1 : -1)));
    // P(X >= 14) and P(X <= 14) of 20 throws of a coin; three standard errors of 10,000 draws.
    expect(Math.abs(drawn.greater - 0.0576591)).toBeLessThan(0.007);
    expect(Math.abs(drawn.less - 0.9793053)).toBeLessThan(0.0045);
    expect(Math.abs(drawn.two_sided - 0.1153183)).toBeLessThan(0.01);
  });

  it("never says 0, also when all of very many pairs agree", () => {
    const { two_sided, less } = pairedPermutation(Array.from({ length: 200 }, () => -1));
    expect(two_sided).toBe(1 / 10_001);
    expect(less).toBe(1 / 10_001);
  });

  it("ignores pairs without a difference", () => {
    const padded = [...DARWIN, ...Array.from({ length: 30 }, () => 0)];
    expect(pairedPermutation(padded)).toEqual(pairedPermutation(DARWIN));
    expect(pairedPermutation([0, 0])).toEqual({ two_sided: 1, less: 1, greater: 1, exact: true });
    expect(pairedPermutation([]).two_sided).toBe(1);
  });

  it("counts ties in spite of rounding", () => {
    expect(pairedPermutation([0.1, 0.2, -0.3]).two_sided).toBe(1);
    expect(pairedPermutation([0.1, 0.2, 0.3]).greater).toBe(1 / 8);
    expect(pairedPermutation([0.1, 0.2, 0.3, -0.3]).greater).toBe(6 / 16);
  });

  it("gives probabilities, is symmetric, and does not depend on the unit", () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 9 }), (differences) => {
        const there = pairedPermutation(differences);
        const back = pairedPermutation(differences.map((difference) => -difference));
        expect(there.two_sided).toBeGreaterThan(0);
        expect(there.two_sided).toBeLessThanOrEqual(1);
        expect(back).toEqual({ ...there, less: there.greater, greater: there.less });
        expect(pairedPermutation(differences.map((difference) => difference * 1e300))).toEqual(there);
      }),
    );
  });
});

describe("twoSamplePermutation", () => {
  it("finds 3 of 35: M. D. Ernst, Statistical Science 19 (2004), section 2", () => {
    const { greater, exact } = twoSamplePermutation([19, 22, 25, 26], [23, 33, 40]);
    expect(greater).toBeCloseTo(3 / 35, 14);
    expect(exact).toBe(true);
  });

  it("is near what Efron and Tibshirani drew: 0.132 from 1000 permutations (chapter 15)", () => {
    const exact = twoSamplePermutation(CONTROL, TREATED);
    expect(Math.abs(exact.greater - 0.132)).toBeLessThan(3 * Math.sqrt((0.132 * 0.868) / 1000));
  });

  it("draws what counting would give: with scores of 0 and 1 it is Fisher's exact test", () => {
    const scores = (passed: number, total: number): number[] =>
      Array.from({ length: total }, (_, index) => (index < passed ? 1 : 0));
    for (const [first, second] of [
      [20, 30],
      [30, 20],
    ] as const) {
      const drawn = twoSamplePermutation(scores(18, first), scores(12, second));
      const exact = fisherExact({ passed: 18, total: first }, { passed: 12, total: second });
      expect(drawn.exact).toBe(false);
      expect(Math.abs(drawn.less - exact.less)).toBeLessThan(0.015);
      expect(Math.abs(drawn.greater - exact.greater)).toBeLessThan(0.015);
    }
  });

  it("gives probabilities, is symmetric, and does not depend on the unit", () => {
    const group = fc.array(score, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(group, group, (first, second) => {
        const there = twoSamplePermutation(first, second);
        const back = twoSamplePermutation(second, first);
        expect(there.two_sided).toBeGreaterThan(0);
        expect(there.two_sided).toBeLessThanOrEqual(1);
        expect(back).toEqual({ ...there, less: there.greater, greater: there.less });
        const shifted = (scores: number[]): number[] => scores.map((value) => value * 3 + 1000);
        expect(twoSamplePermutation(shifted(first), shifted(second))).toEqual(there);
      }),
    );
  });

  it("is quick when one group is a single score among many", () => {
    const many = Array.from({ length: 5000 }, (_, index) => index);
    expect(twoSamplePermutation(many, [4999.5]).greater).toBeCloseTo(1 / 5001, 12);
    expect(twoSamplePermutation([-1], many).greater).toBeCloseTo(1 / 5001, 12);
  });
});

describe("both permutation tests", () => {
  it("say significant no more often than they may when nothing differs", () => {
    const random = createSeededRandom(4);
    const trials = 2000;
    let [paired, unpaired] = [0, 0];
    for (let index = 0; index < trials; index++) {
      const skewed = (): number => -Math.log(1 - random.next());
      const group = (): number[] => Array.from({ length: 5 }, skewed);
      const [first, second] = [group(), group()];
      if (twoSamplePermutation(first, second).two_sided <= 0.05) unpaired++;
      const differences = Array.from({ length: 8 }, () => skewed() - skewed());
      if (pairedPermutation(differences).two_sided <= 0.05) paired++;
    }
    const margin = 3 * Math.sqrt((0.05 * 0.95) / trials);
    expect(paired / trials).toBeLessThan(0.05 + margin);
    expect(unpaired / trials).toBeLessThan(0.05 + margin);
    expect(paired / trials).toBeGreaterThan(0.02);
    expect(unpaired / trials).toBeGreaterThan(0.02);
  });

  it("refuse values that are not finite", () => {
    expect(() => pairedPermutation([1, NaN])).toThrow("differences must be finite numbers, not NaN");
    expect(() => twoSamplePermutation([1], [Infinity])).toThrow(RangeError);
    expect(() => twoSamplePermutation([], [1])).toThrow("both groups must have a score");
  });
});
