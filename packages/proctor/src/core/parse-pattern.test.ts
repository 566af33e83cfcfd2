import { expect, it } from "vitest";
import { parsePattern } from "./parse-pattern.ts";

it("a pattern may have its flags in front, beside given ones", () => {
  expect(parsePattern("(?i)error")).toEqual(/error/i);
  expect(parsePattern("(?im)^error", "i")).toEqual(/^error/im);
  expect(parsePattern("a(?:b)", "s")).toEqual(/a(?:b)/s);
});

it("a pattern that is none is refused", () => {
  expect(() => parsePattern("(")).toThrow(SyntaxError);
  expect(() => parsePattern("(?x)a")).toThrow(SyntaxError);
});
