import { expect, test } from "vitest";
import { compilePattern } from "./pattern.ts";

test.each([
  ["(a+)+$", `${"a".repeat(60)}!`],
  ["(a|aa)+$", `${"a".repeat(80)}!`],
  ["(.*)\\1\\1\\1x", "ab".repeat(1500)],
  [String.raw`^(\w+\s?)*$`, `${"word ".repeat(40)}!`],
])("an expression that does not end is interrupted: %s", (pattern, text) => {
  const matches = compilePattern(pattern, true);
  const startedAt = performance.now();
  try {
    matches([text]);
  } catch (error) {
    expect((error as Error).message).toBe("the pattern took longer than 1 s");
  }
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test.each(["a*b", "x.*y", String.raw`\d+$`, "a{2,}b", "[^b]*c", "ab?c"])(
  "an expression that nobody watches over ends at once, whatever the text: %s",
  (pattern) => {
    const matches = compilePattern(pattern, true);
    for (const text of ["a".repeat(4000), "ab".repeat(2000), "1".repeat(3999)]) {
      const startedAt = performance.now();
      matches([text]);
      expect(performance.now() - startedAt).toBeLessThan(500);
    }
  },
);

test("finds what it should, watched or not", () => {
  expect(compilePattern("d.ne", true)(["all done"])).toBe(true);
  expect(compilePattern("(d.n)+e", true)(["all done"])).toBe(true);
  expect(compilePattern("(?i)DONE", true)(["all done"])).toBe(true);
  expect(compilePattern("none", true)(["all done"])).toBe(false);
});
