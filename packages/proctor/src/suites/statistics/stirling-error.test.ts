import { describe, expect, it } from "vitest";
import { stirlingError } from "./stirling-error.ts";

describe("stirlingError", () => {
  it("goes over smoothly from small numbers to the series", () => {
    // Loader (2000), table of delta(n): 0.0810614667953272 at 1, 0.00554... at 15.
    expect(stirlingError(1)).toBeCloseTo(0.0810614667953272, 14);
    expect(stirlingError(15)).toBeCloseTo(0.005554733551962801, 13);
    // 16! is a whole number that a double holds exactly.
    const exact = Math.log(20_922_789_888_000) - 16.5 * Math.log(16) + 16 - Math.log(2 * Math.PI) / 2;
    expect(stirlingError(16)).toBeCloseTo(exact, 13);
  });

  it("agrees with R's lgamma at a million", () => {
    const n = 999_999;
    const logFactorial = 12_815_504.569147611;
    const stirling = (n + 0.5) * Math.log(n) - n + Math.log(2 * Math.PI) / 2;
    expect(stirling + stirlingError(n)).toBeCloseTo(logFactorial, 7);
  });
});
