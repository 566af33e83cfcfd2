import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { createBest } from "./best.ts";

it("the best of many are those that sorting them all would put first", () => {
  const item = fc.record({ rank: fc.integer({ min: 0, max: 4 }), score: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(fc.array(item), fc.integer({ min: 1, max: 8 }), (items, limit) => {
      const best = createBest<object>(limit);
      for (const each of items) best.add(each, each.rank, each.score);
      const sorted = items.toSorted((a, b) => a.rank - b.rank || a.score - b.score);
      expect(best.total()).toBe(items.length);
      const list = best.list();
      expect(list).toHaveLength(Math.min(limit, items.length));
      expect(list.every((each, index) => each === sorted[index])).toBe(true);
    }),
    { numRuns: propertyRuns(1000) },
  );
});
