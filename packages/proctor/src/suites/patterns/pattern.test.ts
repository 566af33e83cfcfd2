import { expect, test } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { compilePattern } from "./pattern.ts";

test.each([
  ["(a+)+$", `${"a".repeat(60)}!`],
  ["(a|aa)+$", `${"a".repeat(80)}!`],
  [String.raw`^(\w+\s?)*$`, `${"word ".repeat(40)}!`],
])("an expression that does not end is interrupted: %s", (pattern, text) => {
  const matches = compilePattern(pattern, true);
  expect(() => matches([text])).toThrow("the pattern is too slow: stopped after 1 s of CPU time");
});

test.each(["a*b", "x.*y", String.raw`\d+$`, "a{2,}b", "[^b]*c", "ab?c"])(
  "an expression that nobody watches over ends at once, whatever the text: %s",
  (pattern) => {
    const matches = compilePattern(pattern, true);
    for (const text of ["a".repeat(4000), "ab".repeat(2000), "1".repeat(3999)]) {
      const startedAt = threadCpuMs();
      matches([text]);
      expect(threadCpuMs() - startedAt).toBeLessThan(500);
    }
  },
);

test("finds what it should, watched or not", () => {
  expect(compilePattern("d.ne", true)(["all done"])).toBe(true);
  expect(compilePattern("(d.n)+e", true)(["all done"])).toBe(true);
  expect(compilePattern("(?i)DONE", true)(["all done"])).toBe(true);
  expect(compilePattern("none", true)(["all done"])).toBe(false);
});
