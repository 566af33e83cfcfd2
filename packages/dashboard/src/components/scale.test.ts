import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binsOf, scaleOf } from "./scale.ts";

describe("The scale of a plot", () => {
  const values = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 60 });

  it("holds every value, has a few ticks, and loses none in bins", () => {
    fc.assert(
      fc.property(values, (all) => {
        const sorted = all
          .map((value) => (value < 1e-9 ? 0 : Number(value.toPrecision(5))))
          .sort((a, b) => a - b);
        const scale = scaleOf(sorted, 5);
        for (const value of sorted) {
          expect(scale.at(value)).toBeGreaterThanOrEqual(-1e-9);
          expect(scale.at(value)).toBeLessThanOrEqual(1 + 1e-9);
        }
        expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
        expect(scale.ticks.length).toBeLessThanOrEqual(12);
        const bins = binsOf(sorted, scale, 24);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(sorted.length);
      }),
    );
  });

  it("is logarithmic where one value would press the others into a corner", () => {
    expect(scaleOf([1, 2, 3, 900], 5)).toMatchObject({
      log: true,
      low: 1,
      high: 1000,
      ticks: [1, 10, 100, 1000],
    });
    expect(scaleOf([0, 2, 3, 9], 5)).toMatchObject({ log: false, ticks: [0, 2, 4, 6, 8, 10] });
  });
});
