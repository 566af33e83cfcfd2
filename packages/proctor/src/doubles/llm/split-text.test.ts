import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchGlob } from "./match-glob.ts";
import { splitText } from "./split-text.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

test("pieces of a split text are as long as asked, whole characters, and make up the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (text, chars) => {
        const pieces = splitText(text, chars);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
        for (const piece of pieces.slice(0, -1)) expect(Array.from(piece)).toHaveLength(chars);
      },
    ),
  );
});

test("a glob matches what its expression matches", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 12 });
  const glob = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 8 });
  fc.assert(
    fc.property(glob, text, (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/\*+/g, ".*")}$`);
      expect(matchGlob(pattern, name)).toBe(expression.test(name));
    }),
    { numRuns: propertyRuns(2000) },
  );
});

test("a glob of many stars takes no time", () => {
  expect(matchGlob(`${"a*".repeat(100)}b`, "a".repeat(256))).toBe(false);
});
