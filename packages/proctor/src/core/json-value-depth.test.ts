import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isTooDeep } from "./json-depth.ts";
import { isValueTooDeep } from "./json-value-depth.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";

it("the depth of a JSON value is judged like that of its text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 6 }), (value, limit) => {
      // Text no longer than the limit is not looked at, and cannot be too deep.
      expect(isValueTooDeep(value, limit)).toBe(isTooDeep(JSON.stringify(value), limit));
    }),
    { numRuns: propertyRuns(1000) },
  );
});

it("the depth of a JSON value is limited to 200 levels", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
    return value;
  };
  expect(isValueTooDeep(nested(200))).toBe(false);
  expect(isValueTooDeep(nested(201))).toBe(true);
  expect(isValueTooDeep(nested(1_000_000))).toBe(true);
});
