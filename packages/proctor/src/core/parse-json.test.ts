import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

it("parseJson reads JSON from text and from bytes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/[0-9]{16}|[eE][+-]?[0-9]/.test(text));
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      expect(JSON.stringify(parseJson(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it("parseJson names the text in its errors as its caller asks", () => {
  expect(() => parseJson("{", "the frame")).toThrow("the frame is not valid JSON in UTF-8");
  expect(() => parseJson("[".repeat(300), "the frame")).toThrow(
    "the frame is nested more than 200 levels deep",
  );
  expect(() => parseJson("[1e999]")).toThrow(/^0 is 1e999, which cannot be kept exactly/);
});
