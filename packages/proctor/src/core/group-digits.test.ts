import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { groupDigits } from "./group-digits.ts";

it.each([
  [0, "0"],
  [-0.2, "0"],
  [999, "999"],
  [999.5, "1,000"],
  [-1000, "-1,000"],
  [1_234_567, "1,234,567"],
  [1e21, "1,000,000,000,000,000,000,000"],
  [Infinity, "∞"],
])("grouping the digits of %d gives %s", (value, text) => {
  expect(groupDigits(value)).toBe(text);
});

it("grouping the digits of any whole number gives what its locale gives", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(groupDigits(value)).toBe(value.toLocaleString("en-US"));
    }),
    { numRuns: propertyRuns(1000) },
  );
});
