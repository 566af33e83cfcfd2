import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { Json } from "./json.ts";

describe("canonical JSON (RFC 8785)", () => {
  it("orders keys by their UTF-16 units, not by their code points", () => {
    // An emoji is a pair of surrogates, which come before U+FB33 though its code point comes after.
    const value = {
      "\u20ac": 1,
      "\r": 2,
      "\ufb33": 3,
      "1": 4,
      "\u{1f600}": 5,
      "\u0080": 6,
      "\u00f6": 7,
      "10": 8,
      a: 9,
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"10":8,"a":9,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });

  it.each<[number, string]>([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [0.000001, "0.000001"],
    [333333333.3333333, "333333333.3333333"],
    [4.5, "4.5"],
  ])("writes the number %o as ECMAScript does: %s", (number, text) => {
    expect(canonicalJson([number])).toBe(`[${text}]`);
  });

  it("escapes what must be escaped, in the shortest way, and nothing else", () => {
    expect(canonicalJson('\u0000\b\t\n\u000b\f\r\u001f"\\/\u007f\u2028\u00e9')).toBe(
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028\u00e9"',
    );
  });

  it("orders the keys of objects at every depth, and leaves lists as they are", () => {
    const value: Json = { b: [{ d: 1, c: 2 }, 3, null], a: { f: true, e: false } };
    expect(canonicalJson(value)).toBe('{"a":{"e":false,"f":true},"b":[{"c":2,"d":1},3,null]}');
  });
});
