import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesTag, parseByteRange } from "./byte-range.ts";

describe("a Range header", () => {
  it("means the bytes that a slice would give", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), fc.nat(60), (size, first, last) => {
        const bytes = Array.from({ length: size }, (_, index) => index);
        const range = parseByteRange(`bytes=${first}-${last}`, size);
        const expected = bytes.slice(first, last + 1);
        if (last < first) expect(range).toBe("all");
        else if (expected.length === 0) expect(range).toBe("unsatisfiable");
        else expect(range).toEqual({ start: expected[0], end: expected.at(-1) });
        const suffix = parseByteRange(`bytes=-${last}`, size);
        const tail = last === 0 ? [] : bytes.slice(-last);
        expect(suffix).toEqual(tail.length === 0 ? "unsatisfiable" : { start: tail[0], end: size - 1 });
      }),
    );
  });

  it.each([null, "", "bytes=-", "bytes=a-b", "items=0-1", "bytes=0-1;x", "bytes 0-1"])(
    "means all bytes when it is %j",
    (header) => {
      expect(parseByteRange(header, 10)).toBe("all");
    },
  );

  it("stays inside the bytes, however large its numbers are", () => {
    expect(parseByteRange(`bytes=0-${"9".repeat(400)}`, 10)).toEqual({ start: 0, end: 9 });
    expect(parseByteRange(`bytes=${"9".repeat(400)}-`, 10)).toBe("unsatisfiable");
    expect(parseByteRange(`bytes=-${"9".repeat(400)}`, 10)).toEqual({ start: 0, end: 9 });
  });
});

it.each([
  [null, false],
  ['"b"', false],
  ['"a"', true],
  ['"b", W/"a"', true],
  ["*", true],
])("If-None-Match %j matches the tag of the bytes: %s", (header, expected) => {
  expect(matchesTag(header, '"a"')).toBe(expected);
});
