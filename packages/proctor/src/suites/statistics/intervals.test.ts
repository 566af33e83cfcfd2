// The intervals of a rate: Wilson's and the exact one, against the same published examples.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialPmf } from "./binomial.ts";
import { clopperPearsonLower } from "./clopper-pearson.ts";
import type { Interval } from "./interval.ts";
import { wilson } from "./wilson.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

// R. G. Newcombe, Statistics in Medicine 17 (1998), table I: methods 3 and 5.
const NEWCOMBE = [
  { passed: 81, total: 263, score: [0.2553, 0.3662], exact: [0.2527, 0.3676] },
  { passed: 15, total: 148, score: [0.0624, 0.1605], exact: [0.0578, 0.1617] },
  { passed: 0, total: 20, score: [0, 0.1611], exact: [0, 0.1684] },
  { passed: 1, total: 29, score: [0.0061, 0.1718], exact: [0.0009, 0.1776] },
];

const counts = fc
  .integer({ min: 1, max: 3000 })
  .chain((total) => fc.record({ passed: fc.integer({ min: 0, max: total }), total: fc.constant(total) }));
const level = fc.double({ min: 0.5, max: 0.999, noNaN: true });

/** The two-sided interval that the published examples print: each end has half of the error. */
function clopperPearson(passed: number, total: number, confidence = 0.95): Interval {
  const oneSided = (1 + confidence) / 2;
  return {
    low: clopperPearsonLower(passed, total, oneSided),
    high: 1 - clopperPearsonLower(total - passed, total, oneSided),
  };
}

describe("wilson", () => {
  it.each(NEWCOMBE)("gives Newcombe's interval for $passed of $total", ({ passed, total, score }) => {
    expect(rounded(wilson(passed, total))).toEqual(score);
  });

  it("spans every rate when there are no runs", () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("misses the true rate about as often as it says, on average over the rates", () => {
    const rates = Array.from({ length: 199 }, (_, index) => (index + 1) / 200);
    const mean = rates.reduce((sum, rate) => sum + coverage(wilson, 30, rate), 0) / rates.length;
    expect(mean).toBeGreaterThan(0.945);
    expect(mean).toBeLessThan(0.96);
  });
});

describe("clopperPearsonLower", () => {
  it.each(NEWCOMBE)("gives Newcombe's interval for $passed of $total", ({ passed, total, exact }) => {
    expect(rounded(clopperPearson(passed, total))).toEqual(exact);
  });

  it("gives the interval that R's binom.test prints for Mendel's peas", () => {
    // ?binom.test: 682 of 925, 95 percent confidence interval 0.7076683 0.7654066.
    const { low, high } = clopperPearson(682, 925);
    expect(low).toBeCloseTo(0.7076683, 7);
    expect(high).toBeCloseTo(0.7654066, 7);
  });

  it("bounds a failure that never happened by the rule of three", () => {
    // J. A. Hanley and A. Lippman-Hand, JAMA 249 (1983): about 3/n, exactly 1 - 0.05^(1/n).
    expect(1 - clopperPearsonLower(100, 100)).toBeCloseTo(0.0295, 4);
    expect(clopperPearsonLower(29, 29)).toBeGreaterThan(0.9);
    expect(clopperPearsonLower(28, 28)).toBeLessThan(0.9);
  });

  it("covers every rate at least as often as it says", () => {
    for (const runs of [1, 7, 30]) {
      for (let rate = 0.005; rate < 1; rate += 0.005) {
        expect(coverage(clopperPearson, runs, rate)).toBeGreaterThanOrEqual(0.95);
      }
    }
  });

  it("agrees with Wilson's interval at a million runs", () => {
    const { low, high } = clopperPearson(900_000, 1_000_000);
    const score = wilson(900_000, 1_000_000);
    expect(low).toBeCloseTo(score.low, 5);
    expect(high).toBeCloseTo(score.high, 5);
  });
});

describe.each([
  { name: "wilson", of: wilson },
  { name: "clopperPearsonLower, used for both ends,", of: clopperPearson },
])("$name", ({ of }) => {
  it("contains the estimate, mirrors, and widens with the confidence", () => {
    fc.assert(
      fc.property(counts, level, level, ({ passed, total }, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const narrow = of(passed, total, less);
        const wide = of(passed, total, more);
        const mirrored = of(total - passed, total, less);
        expect(narrow.low).toBeGreaterThanOrEqual(0);
        expect(narrow.high).toBeLessThanOrEqual(1);
        expect(narrow.low).toBeLessThanOrEqual(passed / total + 1e-12);
        expect(narrow.high).toBeGreaterThanOrEqual(passed / total - 1e-12);
        expect(wide.low).toBeLessThanOrEqual(narrow.low + 1e-11);
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high - 1e-11);
        expect(mirrored.low).toBeCloseTo(1 - narrow.high, 10);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it.each([
    [-1, 5, 0.95],
    [6, 5, 0.95],
    [NaN, 5, 0.95],
    [1, Infinity, 0.95],
    [1, 5, 1],
    [1, 5, NaN],
  ])("refuses %d of %d at %d", (passed, total, confidence) => {
    expect(() => of(passed, total, confidence)).toThrow(RangeError);
  });
});

/** How often the interval holds the rate, exactly. */
function coverage(of: (passed: number, total: number) => Interval, runs: number, rate: number): number {
  let covered = 0;
  for (let passed = 0; passed <= runs; passed++) {
    const { low, high } = of(passed, runs);
    if (low <= rate && rate <= high) covered += binomialPmf(passed, runs, rate);
  }
  return covered;
}

function rounded({ low, high }: Interval): number[] {
  return [low, high].map((end) => Number(end.toFixed(4)));
}
