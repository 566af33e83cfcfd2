import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "./json.ts";
import { findByPath, parseJsonPath } from "./json-path.ts";

const find = (path: string, value: Json): Json[] => findByPath(value, parseJsonPath(path));

const STORE: Json = {
  books: [
    { title: "A", tags: ["x", "y"], "a key": 1 },
    { title: "B", tags: [], author: { title: "Dr" } },
  ],
  "it's": { b: [[1, 2], [3]] },
  none: null,
};

describe("a JSON path", () => {
  test.each<[string, Json[]]>([
    ["$", [STORE]],
    ["$.books[0].title", ["A"]],
    ["$.books[-1].title", ["B"]],
    ["$.books[2].title", []],
    ["$.books[*].title", ["A", "B"]],
    ["$.books.*.tags[*]", ["x", "y"]],
    ["$.books[ 0 ]['a key']", [1]],
    [`$["it's"].b`, [[[1, 2], [3]]]],
    [String.raw`$['it\'s'].b[1][0]`, [3]],
    ["$.none", [null]],
    ["$.none.deeper", []],
    ["$.books.title", []],
    ["$.books[0].title[0]", []],
    ["$..title", ["A", "B", "Dr"]],
    ["$..[0]", [{ title: "A", tags: ["x", "y"], "a key": 1 }, "x", [1, 2], 1, 3]],
    ["$.books..author..title", ["Dr"]],
    ["$.toString", []],
  ])("%s leads to what it names", (path, expected) => {
    expect(find(path, STORE)).toEqual(expected);
  });

  test("finds everything with ..*, each once", () => {
    expect(find("$..*", { a: { b: 1 } })).toEqual([{ b: 1 }, 1]);
    expect(find("$..*..*", { a: { b: { c: 1 } } })).toEqual([{ c: 1 }, 1]);
  });

  test.each([
    ["a.b", "does not begin with $"],
    ["", "does not begin with $"],
    ["$.", "character 2"],
    ["$a", "character 2"],
    ["$.a[", "character 4"],
    ["$.a[?(@.b)]", "character 4"],
    ["$.a[0:2]", "character 4"],
    ["$.a..", "character 4"],
    ["$.a['b]", "character 4"],
    ["$.a b", "character 4"],
  ])("%s is refused at the place that cannot be read", (path, message) => {
    expect(() => parseJsonPath(path)).toThrow(message);
  });

  test("leads to every key and index, however they are spelled", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(5), fc.jsonValue(), (key, index, value) => {
        const quoted = key.replaceAll(/[\\']/g, String.raw`\$&`);
        const list: Json[] = Array.from({ length: index }, () => null);
        const document = Object.fromEntries([[key, [...list, value]]]);
        expect(find(`$['${quoted}'][${index}]`, document)).toEqual([value]);
      }),
    );
  });

  test("visits each part of a document once per segment, so that no path hangs", () => {
    let deep: Json = 1;
    for (let level = 0; level < 150; level++) deep = { a: deep, b: [deep] };
    expect(find(`$${"..*".repeat(20)}..a`, deep).length).toBeGreaterThan(0);
  });
});
