import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeNews, encodeNews, type News } from "./news-message.ts";

const news: fc.Arbitrary<News> = fc.record({
  runId: fc.string({ maxLength: 60, unit: "grapheme" }),
  lastSequence: fc.nat(),
  appended: fc.nat(),
  ended: fc.boolean(),
  byOwner: fc.boolean(),
});

describe("news of commits", () => {
  it("fit into notifications, and come out as they went in", () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 400 }), (all) => {
        const messages = encodeNews("me", all);
        for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8000);
        expect(messages.flatMap((message) => decodeNews(message)?.news ?? [])).toEqual(all);
        expect(messages.every((message) => decodeNews(message)?.origin === "me")).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("leave out a run whose id fills a notification by itself", () => {
    const small = { runId: "r1", lastSequence: 1, appended: 1, ended: false, byOwner: false };
    const messages = encodeNews("me", [{ ...small, runId: "x".repeat(9000) }, small]);
    expect(messages.flatMap((message) => decodeNews(message)?.news ?? [])).toEqual([small]);
  });

  it("are not taken from what somebody else announces", () => {
    for (const message of ["", "x", "{}", "[1]", '["me", ["r1"], [1, 2, 3, 0, 0], 7]'])
      expect(decodeNews(message)?.news ?? []).toEqual([]);
  });
});
