import * as fc from "fast-check";
import { expect, test } from "vitest";
import { manyLines, oneLine, padEnd, padStart, textWidth, truncate, wrap } from "./text.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

// oxlint-disable-next-line no-control-regex -- what must never get through
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("text for a terminal stays on one line and shows what would have moved the cursor", () => {
  expect(oneLine("  a\r\nb\tc\u001b[2J\u0007\u009b1m ")).toBe("a⏎ b c\\x1b[2J\\x07\\x9b1m");
  expect(oneLine("user\u202etxt.exe")).toBe("user\\u202etxt.exe");
  expect(manyLines("a\n\u001b]0;title\u0007b")).toBe("a\n\\x1b]0;title\\x07b");
});

test("text for a terminal holds no control character, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(oneLine(text)).not.toMatch(CONTROL);
      expect(oneLine(text)).not.toContain("\n");
      expect(manyLines(text)).not.toMatch(CONTROL);
    }),
  );
});

test("the width of a text counts columns, not characters", () => {
  expect(textWidth("abc")).toBe(3);
  expect(textWidth("日本")).toBe(4);
  expect(textWidth("e\u0301")).toBe(1);
  expect(textWidth("🚀")).toBe(2);
  expect(padEnd("日", 4)).toBe("日  ");
  expect(padStart("7", 3)).toBe("  7");
});

test("a text is cut to the width, with a mark", () => {
  expect(truncate("hello", 5)).toBe("hello");
  expect(truncate("hello!", 5)).toBe("hell…");
  expect(truncate("日本語", 5)).toBe("日本…");
  expect(truncate("hello", 0)).toBe("");
});

test("a text is never cut to more than the width, and never inside a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, columns) => {
      const cut = truncate(oneLine(text), columns);
      expect(textWidth(cut)).toBeLessThanOrEqual(columns);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("a text is wrapped between words, and inside words only when they are longer than a line", () => {
  expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
  expect(wrap("the quick brown fox", 20, 12)).toEqual(["the quick", "brown fox"]);
  expect(wrap("the quick brown fox", 20, 4)).toEqual(["", "the quick brown fox"]);
  expect(wrap("a abcdefghij b", 4)).toEqual(["a", "abcd", "efgh", "ij b"]);
  expect(wrap("日本語 日本", 5)).toEqual(["日本", "語", "日本"]);
  expect(wrap("x".repeat(100_000), Infinity)).toHaveLength(1);
  expect(wrap("", 10)).toEqual([""]);
});

test("a text is wrapped to no more than the width, and loses nothing but blanks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const safe = oneLine(text);
      const lines = wrap(safe, columns);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.join("").replaceAll(" ", "")).toBe(safe.replaceAll(" ", ""));
    }),
  );
});
