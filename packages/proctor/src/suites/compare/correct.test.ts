// The correction for many comparisons: no more than Holm's where everything can be significant, and less where it cannot.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { holm } from "../statistics/holm.ts";
import { correct } from "./correct.ts";

it("the correction is Holm's when every p could be arbitrarily small", () => {
  const p = [0.01, 0.04, 0.03, 0.005];
  const { adjusted, levels } = correct(
    p.map((one) => ({ p: one, floor: 0 })),
    0.05,
  );
  expect(adjusted).toEqual(holm(p));
  expect(levels).toEqual([0.0125, 0.0125, 0.0125, 0.0125]);
});

it("the correction leaves out a comparison that could never be significant", () => {
  const hopeless = Array.from({ length: 100 }, () => ({ p: 0.5, floor: 0.5 }));
  const { adjusted, levels } = correct([{ p: 0.03, floor: 0.001 }, ...hopeless], 0.05);
  expect(adjusted[0]).toBe(0.03);
  expect(new Set(adjusted.slice(1))).toEqual(new Set([1]));
  // One of them would share the error with the first.
  expect(levels.slice(0, 2)).toEqual([0.05, 0.025]);
});

it("the correction leaves out a comparison that could be significant alone, but not among many", () => {
  // At 0.05 all three could; at 0.05 / 2 only the first.
  const floors = [0.001, 0.04, 0.04];
  const { adjusted } = correct(
    floors.map((floor) => ({ p: floor, floor })),
    0.05,
  );
  expect(adjusted).toEqual([0.001, 1, 1]);
});

it("the correction never lowers a p, nor raises it above Holm's", () => {
  const hypothesis = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([p, share]) => ({ p, floor: p * share }));
  fc.assert(
    fc.property(fc.array(hypothesis, { maxLength: 30 }), fc.constantFrom(0.01, 0.05, 0.2), (all, alpha) => {
      const { adjusted } = correct(all, alpha);
      const among = holm(all.map(({ p }) => p));
      for (const [index, { p, floor }] of all.entries()) {
        expect(adjusted[index]).toBeGreaterThanOrEqual(p);
        // What Holm's method finds among all is found, too, unless it could not have been the first that is found.
        const couldBeFirst = floor <= alpha / all.length;
        if (couldBeFirst && (among[index] ?? 1) <= alpha) expect(adjusted[index]).toBeLessThanOrEqual(alpha);
      }
    }),
  );
});
