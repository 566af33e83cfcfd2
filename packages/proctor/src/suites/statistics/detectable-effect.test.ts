import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialPmf } from "./binomial.ts";
import { detectableDrop, detectableFlips, runsNeeded } from "./detectable-effect.ts";
import { approximateFisherPower, createFisherPower } from "./fisher-power.ts";
import { fisherExact } from "./fisher.ts";
import { mcNemarExact } from "./mcnemar.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

describe("the power of Fisher's test", () => {
  it("is 0.211135 for 1% and 5% of 80: P. Mathews, Sample Size Calculations (2010), section 4.3.2.1", () => {
    // His events are failures: 0.01 before and 0.05 after are pass rates of 0.99 and 0.95.
    expect(createFisherPower(80, 80, 0.05).powerOf(0.99, 0.95)).toBeCloseTo(0.211135, 6);
  });

  it("is the sum over every pair of results, each judged by the test itself", () => {
    for (const [before, after, alpha] of [
      [12, 9, 0.05],
      [7, 15, 0.1],
      [10, 10, 0.01],
    ] as const) {
      let power = 0;
      for (let first = 0; first <= before; first++) {
        for (let second = 0; second <= after; second++) {
          const { less } = fisherExact({ passed: first, total: before }, { passed: second, total: after });
          if (less <= alpha) power += binomialPmf(first, before, 0.85) * binomialPmf(second, after, 0.3);
        }
      }
      expect(createFisherPower(before, after, alpha).powerOf(0.85, 0.3)).toBeCloseTo(power, 12);
    }
  });

  it("is never above alpha when nothing dropped", () => {
    const { powerOf } = createFisherPower(40, 30, 0.05);
    for (let rate = 0; rate <= 1; rate += 0.05) expect(powerOf(rate, rate)).toBeLessThanOrEqual(0.05);
  });

  it("is near the approximation where that takes over", () => {
    for (const [before, after] of [
      [0.9, 0.8],
      [0.5, 0.37],
      [0.98, 0.92],
    ] as const) {
      const exact = createFisherPower(200, 200, 0.05).powerOf(before, after);
      expect(Math.abs(approximateFisherPower(200, 200, 0.05).powerOf(before, after) - exact)).toBeLessThan(
        0.03,
      );
    }
  });
});

describe("detectableDrop", () => {
  it("is the drop at which the power is reached", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 40 }), fc.integer({ min: 5, max: 40 }), (before, after) => {
        const drop = detectableDrop({ runs_before: before, runs_after: after, rate: 0.9 });
        const { powerOf } = createFisherPower(before, after, 0.05);
        if (drop === undefined) return expect(powerOf(0.9, 0)).toBeLessThan(0.8);
        expect(powerOf(0.9, 0.9 - drop)).toBeCloseTo(0.8, 6);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it("shrinks as runs are added, with no jump where the approximation takes over", () => {
    const drops = [5, 10, 20, 50, 100, 200, 400, 1000, 100_000].map(
      (runs) => detectableDrop({ runs_before: runs, runs_after: runs, rate: 0.9 }) ?? NaN,
    );
    for (const [index, drop] of drops.entries()) expect(drop).toBeLessThan(drops[index - 1] ?? 0.9);
    const at = (runs: number): number =>
      detectableDrop({ runs_before: runs, runs_after: runs, rate: 0.9 }) ?? NaN;
    expect(Math.abs(at(200) - at(201))).toBeLessThan(0.002);
  });

  it("is undefined when not even a drop to nothing would be found", () => {
    expect(detectableDrop({ runs_before: 3, runs_after: 3, rate: 0.9 })).toBeUndefined();
    expect(detectableDrop({ runs_before: 0, runs_after: 9, rate: 0.9 })).toBeUndefined();
    expect(detectableDrop({ runs_before: 50, runs_after: 50, rate: 0 })).toBeUndefined();
  });

  it.each([
    { runs_before: -1, runs_after: 5, rate: 0.5 },
    { runs_before: 5, runs_after: NaN, rate: 0.5 },
    { runs_before: 5, runs_after: 5, rate: 1.5 },
    { runs_before: 5, runs_after: 5, rate: 0.5, alpha: 0 },
    { runs_before: 5, runs_after: 5, rate: 0.5, power: 1 },
  ])("refuses %j", (rule) => {
    expect(() => detectableDrop(rule)).toThrow(RangeError);
  });
});

describe("runsNeeded", () => {
  it("is the first number of runs that reaches the power", () => {
    for (const [rate, drop] of [
      [0.5, 0.4],
      [0.9, 0.5],
      [0.8, 0.3],
      [0.95, 0.3],
      [1, 1],
    ] as const) {
      let first = 1;
      while (createFisherPower(first, first, 0.05).powerOf(rate, rate - drop) < 0.8) first++;
      expect(runsNeeded({ rate, drop })).toBe(first);
    }
  });

  it("is the published formula for many runs", () => {
    // J. L. Fleiss, Statistical Methods for Rates and Proportions (1981), formulas 3.14 and 3.15, one-sided; 3.15 is the correction
    // of Casagrande, Pike and Smith.
    const plain =
      ((1.6448536 * Math.sqrt(2 * 0.875 * 0.125) + 0.8416212 * Math.sqrt(0.09 + 0.1275)) / 0.05) ** 2;
    const corrected = (plain / 4) * (1 + Math.sqrt(1 + 4 / (plain * 0.05))) ** 2;
    expect(runsNeeded({ rate: 0.9, drop: 0.05 })).toBe(Math.ceil(corrected));
  });

  it("grows as the drop shrinks, and answers for tiny drops", () => {
    const needed = [0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 1e-6].map((drop) => runsNeeded({ rate: 0.9, drop }));
    for (const [index, runs] of needed.entries()) expect(runs).toBeGreaterThan(needed[index - 1] ?? 0);
  });

  it.each([
    { rate: 0.5, drop: 0 },
    { rate: 0.5, drop: 0.6 },
    { rate: 0.5, drop: NaN },
    { rate: 2, drop: 0.1 },
  ])("refuses %j", (rule) => {
    expect(() => runsNeeded(rule)).toThrow(RangeError);
  });
});

describe("detectableFlips", () => {
  it("is the fewest one-way flips that McNemar's test finds", () => {
    for (const alpha of [0.5, 0.1, 0.05, 0.01, 0.001]) {
      const flips = detectableFlips(100, alpha) ?? NaN;
      expect(mcNemarExact(flips, 0).less).toBeLessThanOrEqual(alpha);
      if (flips > 1) expect(mcNemarExact(flips - 1, 0).less).toBeGreaterThan(alpha);
    }
  });

  it("is undefined when there are fewer cases than that", () => {
    expect(detectableFlips(5)).toBe(5);
    expect(detectableFlips(4)).toBeUndefined();
    expect(() => detectableFlips(-1)).toThrow(RangeError);
  });
});
