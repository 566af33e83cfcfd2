import { expect, it } from "vitest";
import { parsePattern } from "./parse-pattern.ts";

it("parsePattern joins flags in front of a pattern with those it is given", () => {
  expect(parsePattern("(?i)error")).toEqual(/error/i);
  expect(parsePattern("(?im)^error", "i")).toEqual(/^error/im);
  expect(parsePattern("a(?:b)", "s")).toEqual(/a(?:b)/s);
});

it("parsePattern refuses what is no regular expression", () => {
  expect(() => parsePattern("(")).toThrow(SyntaxError);
  expect(() => parsePattern("(?x)a")).toThrow(SyntaxError);
});
