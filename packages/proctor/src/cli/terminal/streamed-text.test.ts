import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createStreamedText } from "./streamed-text.ts";
import { manyLines, textWidth, wrap } from "./text.ts";

const COLUMNS = 12;

function stream(pieces: readonly string[]): string[] {
  const text = createStreamedText();
  const rows = pieces.flatMap((piece) => text.add(piece, COLUMNS));
  const last = text.end();
  return last === undefined ? rows : [...rows, last];
}

test("a streamed text gives away the rows that no longer change, and keeps the one that does", () => {
  const text = createStreamedText();

  expect(text.add("one two th", COLUMNS)).toEqual([]);
  expect(text.row).toBe("one two th");
  expect(text.add("ree ", COLUMNS)).toEqual(["one two"]);
  expect(text.row).toBe("three");
  expect(text.add("four\n\nend\u001b[2J", COLUMNS)).toEqual(["three four", ""]);
  expect(text.end()).toBe(String.raw`end\x1b[2J`);
  expect(text.end()).toBeUndefined();
});

test("a streamed text has the same rows wherever it was cut, and none is too wide", () => {
  const words = fc.array(fc.constantFrom("a", "word", "日本語", " ", "\n", "x".repeat(30), "\u001b"), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(words, (pieces) => {
      const whole = manyLines(pieces.join("")).split("\n");
      const expected = whole
        .flatMap((line) => (line === "" ? [""] : wrap(line, COLUMNS)))
        .map((row) => row.trimEnd());
      if (expected.at(-1) === "") expected.pop();
      const characters = pieces.join("").split("");

      expect(stream(pieces)).toEqual(expected);
      expect(stream(characters)).toEqual(expected);
      for (const row of stream(characters)) expect(textWidth(row)).toBeLessThanOrEqual(COLUMNS);
    }),
    { examples: [[["x".repeat(30), "日本語", " ", " ", "a"]]] },
  );
});
