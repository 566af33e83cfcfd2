import { array, assert, constantFrom, json, property, string } from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../core/json.ts";
import { differenceOf } from "./difference.ts";
import { diffLines } from "./diff-lines.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

test("an edit script leads from one list to the other, and is as short as can be", () => {
  const list = array(constantFrom("a", "b", "c"), { maxLength: 12 });
  assert(
    property(list, list, (before, after) => {
      const edits = diffLines(before, after);
      const side = (without: string): string[] =>
        edits.filter(({ kind }) => kind !== without).map(({ text }) => text);
      expect(side("added")).toEqual(before);
      expect(side("removed")).toEqual(after);
      expect(edits.filter(({ kind }) => kind === "same")).toHaveLength(longestCommon(before, after));
    }),
  );
});

/** The plain definition, slow and obvious. */
function longestCommon([first, ...before]: readonly string[], after: readonly string[]): number {
  if (first === undefined) return 0;
  const at = after.indexOf(first);
  const without = longestCommon(before, after);
  return at === -1 ? without : Math.max(without, 1 + longestCommon(before, after.slice(at + 1)));
}

test("single lines are compared by words", () => {
  expect(differenceOf({ expected: "the quick fox", actual: "the slow fox" })).toEqual({
    form: "words",
    expected: [
      { text: "the ", changed: false },
      { text: "quick", changed: true },
      { text: " fox", changed: false },
    ],
    actual: [
      { text: "the ", changed: false },
      { text: "slow", changed: true },
      { text: " fox", changed: false },
    ],
  });
});

test("a difference leaves out long equal stretches", () => {
  const around = "word ".repeat(100);
  const difference = differenceOf({ expected: `${around}a${around}`, actual: `${around}b${around}` });
  expect(JSON.stringify(difference).length).toBeLessThan(400);
});

test("structures are compared in one layout: the order of keys and blanks do not count", () => {
  expect(differenceOf({ expected: { a: 1, b: 2 }, actual: { b: 2, a: 1 } })).toBeUndefined();
  expect(differenceOf({ expected: { a: 1 }, actual: '{ "a" : 1 }' })).toBeUndefined();
  expect(differenceOf({ expected: { b: 2, a: [1, 2] }, actual: { a: [1], b: 2 } })).toEqual({
    form: "lines",
    lines: [
      { mark: " ", text: "{" },
      { mark: " ", text: '  "a": [' },
      { mark: "-", text: "    1," },
      { mark: "-", text: "    2" },
      { mark: "+", text: "    1" },
      { mark: " ", text: "  ]," },
      { mark: " ", text: '  "b": 2' },
    ],
  });
});

test("a number and the same in quotes differ visibly", () => {
  expect(differenceOf({ expected: 5, actual: "5" })).toMatchObject({
    actual: [{ text: '"', changed: true }, { text: "5" }, { text: '"', changed: true }],
  });
});

test("no difference is shown where nothing was compared or nothing differs", () => {
  expect(differenceOf(undefined)).toBeUndefined();
  expect(differenceOf({ expected: "x" })).toBeUndefined();
  expect(differenceOf({ expected: null, actual: null })).toBeUndefined();
});

test("a difference is never large, and says what it does not show", () => {
  const lines = (seed: number): string =>
    Array.from({ length: 5000 }, (_, index) => `${index * seed}`).join("\n");
  const many = differenceOf({ expected: lines(2), actual: lines(3) });
  expect(many).toMatchObject({ form: "lines" });
  expect(JSON.stringify(many)).toMatch(/\d+ more lines differ.*the rest was not compared/);
  const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as Json;
  const long = "🙂".repeat(100_000);
  for (const value of [long, `${long}\n${long}`, [long], deep, " ".repeat(100_000)]) {
    expect(JSON.stringify(differenceOf({ expected: value, actual: "x" })).length).toBeLessThan(20_000);
    expect(JSON.stringify(differenceOf({ expected: "y z", actual: value })).length).toBeLessThan(20_000);
  }
});

test("a difference can be made of any two values", () => {
  assert(
    property(
      string({ unit: anyCharacter }),
      string({ unit: anyCharacter }),
      json(),
      (expected, actual, text) => {
        differenceOf({ expected, actual });
        differenceOf({ expected, actual: text });
        differenceOf({ expected: JSON.parse(text) as Json, actual });
      },
    ),
  );
});
