import * as fc from "fast-check";
import { expect, test } from "vitest";
import { suggest } from "./suggest.ts";

const CHECKS = ["contains", "schema", "max_tool_calls", "min_tool_calls", "no_errors", "atp", "ap"];

test.each([
  ["contians", "contains"],
  ["contain", "contains"],
  ["Contains", "contains"],
  ["schmea", "schema"],
  ["max_tool_call", "max_tool_calls"],
  ["min-tool-calls", "min_tool_calls"],
  ["apt", "atp"],
  ["a2p", "atp"],
])("suggest finds for %s the word that was meant: %s", (word, meant) => {
  expect(suggest(word, CHECKS)).toBe(meant);
});

test.each([
  ["an empty word", ""],
  ["one letter", "x"],
  ["three letters", "xyz"],
  ["a word that is not like any", "completely"],
  ["half a word", "con"],
  ["a word without end", "a".repeat(100_000)],
])("suggest finds nothing close to %s", (_what, word) => {
  expect(suggest(word, CHECKS)).toBeUndefined();
});

test("suggest finds nothing where no words are known", () => {
  expect(suggest("atp", [])).toBeUndefined();
});

test("suggest finds a word of six or more letters after one slip anywhere", () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from("abcdefghij")), minLength: 6, maxLength: 20 });
  fc.assert(
    fc.property(word, fc.nat(), (word, where) => {
      const at = where % word.length;
      expect(suggest(word.slice(0, at) + word.slice(at + 1), [word])).toBe(word);
      expect(suggest(`${word.slice(0, at)}z${word.slice(at)}`, [word])).toBe(word);
    }),
  );
});
