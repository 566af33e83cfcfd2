import { expect, test } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { compilePattern } from "./pattern.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const TOO_SLOW = "the pattern is too slow: stopped after 1 s of CPU time";

test("an expression that does not end is interrupted after all of its time: (a+)+$", async () => {
  const matches = compilePattern("(a+)+$", true);
  const before = threadCpuMs();
  await expect(soonTooSlow(() => matches([`${"a".repeat(60)}!`]))).rejects.toThrow(TOO_SLOW);
  // Nearly all of the fiftieth of a second that it gets here.
  expect(threadCpuMs() - before).toBeGreaterThan(16);
});

test.each([
  ["(a|aa)+$", `${"a".repeat(80)}!`],
  [String.raw`^(\w+\s?)*$`, `${"word ".repeat(40)}!`],
])("an expression that does not end is interrupted: %s", async (pattern, text) => {
  const matches = compilePattern(pattern, true);
  await expect(soonTooSlow(() => matches([text]))).rejects.toThrow(TOO_SLOW);
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

test("a pattern finds the same whether it is watched or not", () => {
  expect(compilePattern("d.ne", true)(["all done"])).toBe(true);
  expect(compilePattern("(d.n)+e", true)(["all done"])).toBe(true);
  expect(compilePattern("(?i)DONE", true)(["all done"])).toBe(true);
  expect(compilePattern("none", true)(["all done"])).toBe(false);
});
