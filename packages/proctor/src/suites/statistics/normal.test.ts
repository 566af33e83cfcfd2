// Against the tables in Abramowitz and Stegun (1964), chapter 26, and the values of R's qnorm and pnorm.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, normalDensity, normalQuantile } from "./normal.ts";

describe("normalQuantile", () => {
  it.each([
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.9995, 3.2905267314918945],
    [0.001, -3.090232306167813],
    [1e-10, -6.361340902404056],
    [1e-100, -21.27345356096532],
  ])("is the value of R's qnorm(%d)", (p, x) => {
    expect(Math.abs(normalQuantile(p) - x)).toBeLessThan(1e-12);
  });

  it("undoes the distribution function and is odd", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
        expect(Math.abs(normalCdf(normalQuantile(p)) - p)).toBeLessThan(1e-14);
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(1 - (1 - p)), 9);
      }),
    );
  });

  it.each([0, 1, -0.1, NaN])("refuses %d", (p) => {
    expect(() => normalQuantile(p)).toThrow(RangeError);
  });
});

describe("normalCdf", () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1, 0.15865525393145705],
    [-1.96, 0.024997895148220435],
    [-3, 0.0013498980316300933],
    [-5, 2.866515718791939e-7],
    [-8, 6.220960574271785e-16],
    [Infinity, 1],
    [-Infinity, 0],
  ])("is the value of R's pnorm(%d)", (x, p) => {
    expect(Math.abs(normalCdf(x) - p)).toBeLessThanOrEqual(1e-13 * p);
  });

  it("has the density as its slope", () => {
    for (let x = -6; x <= 6; x += 0.37) {
      const slope = (normalCdf(x + 1e-5) - normalCdf(x - 1e-5)) / 2e-5;
      expect(slope).toBeCloseTo(normalDensity(x), 9);
    }
  });
});
