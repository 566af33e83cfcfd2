import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialAtLeast, binomialAtMost, binomialPmf } from "./binomial.ts";

const runs = fc.integer({ min: 1, max: 2000 });
const rate = fc.double({ min: 0, max: 1, noNaN: true });

describe("binomialPmf", () => {
  it.each([
    // Exact fractions.
    [5, 10, 0.5, 252 / 1024],
    [0, 3, 0.25, 27 / 64],
    [3, 3, 0.25, 1 / 64],
    // Fifty-digit arithmetic.
    [500_000, 1_000_000, 0.5, 0.0007978843613317501],
    [900_100, 1_000_000, 0.9, 0.0012584818336815217],
  ])("of %d in %d at %d is exact to 13 digits", (k, n, p, value) => {
    expect(Math.abs(binomialPmf(k, n, p) / value - 1)).toBeLessThan(2e-14);
  });

  it("adds up to one", () => {
    for (const [n, p] of [
      [1, 0.3],
      [30, 0.01],
      [999, 0.9],
      [5000, 0.123],
    ] as const) {
      let sum = 0;
      for (let k = 0; k <= n; k++) sum += binomialPmf(k, n, p);
      expect(sum).toBeCloseTo(1, 12);
    }
  });

  it("is certain where the rate is", () => {
    expect(binomialPmf(0, 5, 0)).toBe(1);
    expect(binomialPmf(5, 5, 1)).toBe(1);
    expect(binomialPmf(4, 5, 1)).toBe(0);
    expect(binomialPmf(0, 0, 0.5)).toBe(1);
  });
});

describe("the tails of the binomial distribution", () => {
  it.each([
    // National Bureau of Standards, Tables of the Binomial Probability Distribution (1950).
    [10, 30, 0.5, 0.0493685734],
    [1, 20, 0.1, 0.3917469981],
    [8, 10, 0.9, 0.2639010709],
  ])("P(X <= %d) of %d at %d is as in the tables", (k, n, p, value) => {
    expect(binomialAtMost(k, n, p)).toBeCloseTo(value, 9);
  });

  it("keep their digits, small or with a million runs", () => {
    // Exact fractions and fifty-digit arithmetic.
    expect(binomialAtLeast(29, 30, 0.1) / 2.710000000000004e-28).toBeCloseTo(1, 13);
    expect(binomialAtLeast(900_100, 1_000_000, 0.9) / 0.37021988224406294).toBeCloseTo(1, 12);
    expect(binomialAtMost(899_000, 1_000_000, 0.9) / 0.0004386199762948915).toBeCloseTo(1, 12);
  });

  it("share all of the probability, and mirror each other", () => {
    fc.assert(
      fc.property(runs, rate, fc.double({ min: 0, max: 1, noNaN: true }), (n, p, share) => {
        const k = Math.floor(share * n);
        const atMost = binomialAtMost(k, n, p);
        expect(atMost).toBeGreaterThanOrEqual(0);
        expect(atMost).toBeLessThanOrEqual(1);
        const above = k === n ? 0 : binomialAtLeast(k + 1, n, p);
        expect(atMost + above).toBeCloseTo(1, 11);
        expect(binomialAtLeast(n - k, n, 1 - p)).toBeCloseTo(atMost, 10);
      }),
    );
  });

  it("fall as the rate rises", () => {
    fc.assert(
      fc.property(runs, rate, rate, (n, one, other) => {
        const k = Math.floor(n / 2);
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(binomialAtMost(k, n, high)).toBeLessThanOrEqual(binomialAtMost(k, n, low) + 1e-12);
      }),
    );
  });

  it.each([
    [-1, 5, 0.5],
    [6, 5, 0.5],
    [1.5, 5, 0.5],
    [NaN, 5, 0.5],
    [1, 2e6, 0.5],
    [1, 5, -0.1],
    [1, 5, NaN],
  ])("refuses %d of %d at %d", (k, n, p) => {
    expect(() => binomialPmf(k, n, p)).toThrow(RangeError);
    expect(() => binomialAtMost(k, n, p)).toThrow(RangeError);
    expect(() => binomialAtLeast(k, n, p)).toThrow(RangeError);
  });
});
