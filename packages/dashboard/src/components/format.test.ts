import { describe, expect, it } from "vitest";
import { cost, duration, percent, utc } from "./format.ts";

describe("A figure on a page", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [9960, "10 s"],
    [12_345, "12 s"],
    [59_999, "1 m 00 s"],
    [184_200, "3 m 04 s"],
    [3_599_900, "1 h 00 m"],
    [3_723_000, "1 h 02 m"],
    [Number.NaN, "–"],
  ])("of %s ms is shown as %s", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [1, "100 %"],
    [0.9999, "99.9 %"],
    [0.9949, "99.5 %"],
    [0.501, "50 %"],
    [0.0001, "0.1 %"],
    [0, "0 %"],
  ])("that is a share of %s is shown as %s", (share, text) => expect(percent(share, 1)).toBe(text));

  it("of money has as many digits as say something, however small it is", () => {
    expect([0, 0.000_000_42, 0.00042, 0.0123, 9.5, 1234.567].map(cost)).toEqual([
      "$0",
      "$0.00000042",
      "$0.00042",
      "$0.012",
      "$9.50",
      "$1,234.57",
    ]);
  });

  it("of time in a report is the same for everybody who reads it", () => {
    expect([utc("2026-03-04T10:15:59.000Z"), utc("never")]).toEqual(["2026-03-04 10:15 UTC", "never"]);
  });
});
