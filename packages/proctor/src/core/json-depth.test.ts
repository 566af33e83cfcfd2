import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTooDeep } from "./json-depth.ts";

describe("the depth of JSON text", () => {
  it("refuses what is nested deeper than the limit, brackets and braces alike", () => {
    expect(isTooDeep("[".repeat(201) + "]".repeat(201))).toBe(true);
    expect(isTooDeep("[".repeat(200) + "]".repeat(200))).toBe(false);
    expect(isTooDeep('{"a":'.repeat(201) + "1" + "}".repeat(201))).toBe(true);
    expect(isTooDeep("[".repeat(5_000_000))).toBe(true);
  });

  it("is not fooled by brackets inside strings", () => {
    expect(isTooDeep(JSON.stringify({ a: '\\"[{'.repeat(500), "[[\\": "[".repeat(500) }))).toBe(false);
  });

  it("agrees with the parsed document", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 1, max: 8 }), (text, limit) => {
        const padded = `${text}${" ".repeat(20)}`;
        expect(isTooDeep(padded, limit)).toBe(depthOf(JSON.parse(text)) > limit);
      }),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
