import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import { findInexactNumbers, inexactViolations, refuseInexactNumbers } from "./json-numbers.ts";

/** Values without such numbers, some of which look like them. */
const BESIDE = fc.constantFrom<Json>(
  "1e999",
  'a"12345678901234567890\\',
  null,
  true,
  1.5,
  [],
  {},
  { a: [1, "b"] },
);

describe("numbers that a double does not hold", () => {
  it.each([
    ["12345678901234567890", "", "12345678901234567890"],
    ['{"n": 9007199254740992}', "n", "9007199254740992"],
    ['{"n": -9007199254740993}', "n", "-9007199254740993"],
    ['{"a": {"b\\"c": [0, "x", {"n":1e400}]}}', 'a.b"c.2.n', "1e400"],
    ["[1, [2, -1E+999]]", "1.1", "-1E+999"],
    ['{"s": "a", "t": ["1e999", 1.5e-400]}', "t.1", "1.5e-400"],
    ['{"x": [], "y": {}, "n": 1234567890123456789}', "n", "1234567890123456789"],
    ['{"id":"3e5-4e1","n":[1e400]}', "n.0", "1e400"],
    ["[1234567890123456789]", "0", "1234567890123456789"],
  ])("are found in %s", (text, path, source) => {
    expect(findInexactNumbers(text)).toEqual([{ path, source }]);
    expect(() => refuseInexactNumbers(text)).toThrow(/send it as a string/);
    expect(inexactViolations(text)).toMatchObject([{ rule: "json.number" }]);
  });

  it.each([
    "9007199254740991",
    "-9007199254740991",
    "0.1",
    "3.141592653589793238",
    "1e20",
    "0e-999",
    "0.0000000000000000000",
    '"12345678901234567890"',
    '{"12345678901234567890": "1e999", "k": 1}',
  ])("are not in %s", (text) => {
    expect(findInexactNumbers(text)).toEqual([]);
  });

  it("are found where a fraction without an exponent is too small", () => {
    const [found] = findInexactNumbers(`{"n":0.${"0".repeat(400)}1}`);
    expect(found?.path).toBe("n");
  });

  it("are found wherever they are, by the path that leads there", () => {
    const big = 123_456_789_012_345_678n;
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat(9)), { maxLength: 6 }), BESIDE, (keys, beside) => {
        const path: string[] = [];
        let text = big.toString();
        for (const key of [...keys].reverse()) {
          const other = JSON.stringify(beside);
          if (typeof key === "number") {
            text = `[${`${other},`.repeat(key)}${text},${other}]`;
          } else {
            text = `{" ": ${other}, ${JSON.stringify(`_${key}`)} : ${text}, "z": ${other}}`;
          }
          path.unshift(typeof key === "number" ? String(key) : `_${key}`);
        }
        const found = findInexactNumbers(text).filter(({ source }) => source === big.toString());
        expect(found.map((number) => number.path)).toEqual([path.join(".")]);
      }),
    );
  });
});
