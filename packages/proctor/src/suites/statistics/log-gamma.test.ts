import { describe, expect, it } from "vitest";
import { logChoose, logGamma, stirlingError } from "./log-gamma.ts";

describe("logGamma", () => {
  // Abramowitz and Stegun 6.1.8 and 6.1.9 (half integers), 6.1.5 (factorials); lgamma(1e6) of R.
  it.each([
    [0.5, Math.log(Math.sqrt(Math.PI))],
    [1, 0],
    [1.5, Math.log(Math.sqrt(Math.PI) / 2)],
    [2, 0],
    [10, Math.log(362_880)],
    [100, 359.1342053695754],
    [1e6, 12_815_504.569147611],
  ])("is right at %d", (x, value) => {
    expect(Math.abs(logGamma(x) - value)).toBeLessThan(1e-14 * Math.max(1, value) + 1e-14);
  });

  it("steps by ln x", () => {
    for (const x of [0.1, 0.7, 3.3, 15.5, 16, 1234.5]) {
      expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 10);
    }
  });

  it.each([0, -1, NaN, Infinity])("refuses %d", (x) => {
    expect(() => logGamma(x)).toThrow(RangeError);
  });
});

describe("logChoose", () => {
  it("counts poker hands and lottery tickets", () => {
    expect(logChoose(52, 5)).toBeCloseTo(Math.log(2_598_960), 12);
    expect(logChoose(49, 6)).toBeCloseTo(Math.log(13_983_816), 12);
    expect(logChoose(7, 0)).toBe(0);
    expect(logChoose(7, 7)).toBe(0);
  });

  it("refuses to take more than there are", () => {
    expect(() => logChoose(5, 6)).toThrow("k (6) must not be more than n (5)");
  });
});

describe("stirlingError", () => {
  it("goes over smoothly from small numbers to the series", () => {
    // Loader (2000), table of delta(n): 0.0810614667953272 at 1, 0.00554... at 15.
    expect(stirlingError(1)).toBeCloseTo(0.0810614667953272, 14);
    expect(stirlingError(15)).toBeCloseTo(0.005554733551962801, 13);
    const fromGamma = logGamma(17) - 16.5 * Math.log(16) + 16 - Math.log(2 * Math.PI) / 2;
    expect(stirlingError(16)).toBeCloseTo(fromGamma, 13);
  });
});
