import { fullFormats } from "ajv-formats/dist/formats.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDateTime, isUri, isUuid } from "./formats.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const oracle = (name: "uuid" | "uri" | "date-time") => {
  const format = fullFormats[name];
  return (text: string): boolean => {
    if (format instanceof RegExp) return format.test(text);
    const check =
      typeof format === "function" ? format : (format as { validate: (text: string) => boolean }).validate;
    return (check as (text: string) => boolean)(text);
  };
};

const SURE = { numRuns: propertyRuns(5000), seed: 11 };

describe("the formats of the document's schemas, as ajv-formats reads them", () => {
  it("uri", () => {
    const piece = fc.constantFrom(
      ..."http https a+b.c urn : :: / // /// ? # @ [ ] [::1] [1::2:3] [v1.x] [::1.2.3.4] [1:2:3:4:5:6:7:8]".split(
        " ",
      ),
      ..."[1:2:3:4:5:6:7::] [::2:3:4:5:6:7:8] [1::256.1.1.1] [1:::2] [:1] host 1.2.3.4 :80 :8x %20 %zz é".split(
        " ",
      ),
      " ",
      "\n",
      "\\",
      '"',
      "<",
      "tools",
      "a=b&c",
      "user:pw@",
      "%",
    );
    const soup = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));
    const likely = soup.map((rest) => `http://h${rest}`);
    agree(fc.oneof(soup, likely, fc.string(), fc.webUrl()), isUri, oracle("uri"));
  });

  it("date-time", () => {
    const two = (max: number): fc.Arbitrary<string> => fc.nat(max).map((n) => String(n).padStart(2, "0"));
    const offset = fc.oneof(
      fc.constantFrom("Z", "z", "", "+00:00", "+5:30", "+24:00", "+00:60"),
      fc
        .tuple(fc.constantFrom("+", "-"), two(23), fc.constantFrom(":", ""), two(59))
        .map((parts) => parts.join("")),
      fc.tuple(fc.constantFrom("+", "-"), two(23)).map((parts) => parts.join("")),
    );
    const date = fc.tuple(fc.constantFrom("0000", "1900", "2000", "2024", "2025", "99999"), two(13), two(32));
    const fraction = fc.constantFrom("", ".1", ".123456", ".", ",5");
    const time = fc
      .tuple(fc.oneof(two(23), fc.constant("23")), fc.oneof(two(59), fc.constant("59")), two(61), fraction)
      .map(([hour, minute, second, rest]) => `${hour}:${minute}:${second}${rest}`);
    const stamp = fc
      .tuple(date, fc.constantFrom("T", "t", " ", "\t", "", "TT"), time, offset)
      .map(([day, separator, clock, zone]) => day.join("-") + separator + clock + zone);
    agree(stamp, isDateTime, oracle("date-time"));
    expect(isDateTime("2016-12-31T23:59:60Z")).toBe(true);
    expect(isDateTime("2025-01-01T24:59:30+01:00")).toBe(false);
  });

  it("leap seconds at every offset", () => {
    const minute = fc.nat(24 * 60 - 1);
    const stamp = fc.tuple(minute, minute, fc.constantFrom("+", "-")).map(([time, offset, sign]) => {
      // Half of them at the one minute of the day that has one.
      const local =
        offset % 2 === 0 ? time : (24 * 60 - 1 + (sign === "-" ? -offset : offset) + 24 * 60) % (24 * 60);
      return `2016-12-31T${clock(local)}:60${sign}${clock(offset)}`;
    });
    agree(stamp, isDateTime, oracle("date-time"));
  });

  it("uuid", () => {
    const odd = fc.constantFrom("", "urn:uuid:", "URN:UUID:", "urn:", "{", " ");
    const uuid = fc.tuple(odd, fc.uuid(), fc.constantFrom("", "", "\n", "0"), fc.boolean());
    const text = uuid.map(([before, id, after, upper]) => before + (upper ? id.toUpperCase() : id) + after);
    agree(fc.oneof(text, fc.string()), isUuid, oracle("uuid"));
  });
});

function agree(
  texts: fc.Arbitrary<string>,
  ours: (text: string) => boolean,
  theirs: (text: string) => boolean,
): void {
  let accepted = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const verdict = ours(text);
      accepted += Number(verdict);
      return verdict === theirs(text);
    }),
    SURE,
  );
  expect(accepted).toBeGreaterThan(SURE.numRuns / 50);
  expect(accepted).toBeLessThan(SURE.numRuns);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
