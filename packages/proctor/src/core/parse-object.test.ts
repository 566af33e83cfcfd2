import { describe, expect, it } from "vitest";
import { endOfObject } from "./end-of-object.ts";
import { MAX_JSON_DEPTH } from "./json-depth.ts";
import { parseObject } from "./parse-object.ts";

describe("a JSON object out of any text", () => {
  it("is parsed", () => {
    expect(parseObject('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] });
  });

  it.each(["", "{", '{"a":1} and more', "[]", "null", '"{}"'])("is none in %j", (text) => {
    expect(parseObject(text)).toBeUndefined();
  });

  it("is none when it is nested too deeply", () => {
    const nested = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    expect(parseObject(nested(MAX_JSON_DEPTH))).toBeDefined();
    expect(parseObject(nested(MAX_JSON_DEPTH + 1))).toBeUndefined();
  });

  it("ends at its own brace, whatever its strings hold", () => {
    const object = '{"a":{"b":"}\\"}"}}';
    expect(endOfObject(`say ${object} }`, 4)).toBe(4 + object.length);
    expect(endOfObject('{"a":"}', 0)).toBeUndefined();
  });
});
