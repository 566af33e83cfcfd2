import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { drawOrder } from "./draw-order.ts";

function drawAll(count: number, random: () => number): number[] {
  const draw = drawOrder(count, random);
  return Array.from({ length: count }, draw);
}

describe("numbers that are drawn in a random order", () => {
  it("are all numbers below the count, each once", () => {
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const property = fc.property(fc.nat(300), fraction, fraction, (count, first, second) => {
      const numbers = [first, second];
      const drawn = drawAll(count, () => numbers.shift() ?? 0);
      expect(drawn.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
    });
    fc.assert(property, { numRuns: propertyRuns(1000) });
  });

  it("begin with each of them for some number", () => {
    const firsts = [0, 0.2, 0.4, 0.6, 0.8].map((place) => drawAll(5, () => place)[0]);
    expect(firsts).toEqual([0, 1, 2, 3, 4]);
  });
});
