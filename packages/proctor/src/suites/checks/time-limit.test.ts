import { expect, test } from "vitest";
import { withinTime } from "./time-limit.ts";

test("returns what the work returns, also nothing", () => {
  const value = { a: 1 };
  expect(withinTime("it", () => value)).toBe(value);
  expect(withinTime("it", () => undefined)).toBeUndefined();
});

test("lets through what the work throws", () => {
  const error = new TypeError("wrong");
  expect(() =>
    withinTime("it", () => {
      throw error;
    }),
  ).toThrow(error);
});

test.each([
  ["an expression", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
  [
    "a loop",
    () => {
      for (;;);
    },
  ],
])("interrupts %s that never ends", (_, work: () => unknown) => {
  const startedAt = performance.now();
  expect(() => withinTime("it", work, 50)).toThrow("it took longer than 0.05 s");
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
