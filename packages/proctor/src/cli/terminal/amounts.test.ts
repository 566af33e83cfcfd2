import { expect, test } from "vitest";
import { formatAgo, formatBytes, formatCost, formatDuration, formatOffset, plural } from "./amounts.ts";

test.each([
  [0, "0ms"],
  [999, "999ms"],
  [999.6, "1.0s"],
  [12_340, "12.3s"],
  [59_960, "1m 00s"],
  [3_599_400, "59m 59s"],
  [3_599_600, "1h 00m"],
  [90_061_000, "25h 01m"],
  [-5, "0ms"],
])("a duration of %d ms is written as people read it", (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, "0:00.0"],
  [4_290, "0:04.2"],
  [59_999, "0:59.9"],
  [750_000, "12:30.0"],
  [-1, "0:00.0"],
])("an offset of %d ms is written with a fixed width", (ms, text) => expect(formatOffset(ms)).toBe(text));

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [999_960, "1.0 MB"],
  [5.5e9, "5.5 GB"],
])("a size of %d bytes is written in the unit that fits", (bytes, text) =>
  expect(formatBytes(bytes)).toBe(text),
);

test("money, counts and moments are written as people read them", () => {
  const now = Date.parse("2026-02-01T00:00:00.000Z");
  expect([formatCost(0), formatCost(0.0123), formatCost(12.5)]).toEqual(["$0.00", "$0.0123", "$12.50"]);
  expect([plural(1, "step"), plural(1200, "step")]).toEqual(["1 step", "1,200 steps"]);
  expect(formatAgo("2026-01-31T23:59:58.000Z", now)).toBe("just now");
  expect(formatAgo("2026-01-31T23:59:30.000Z", now)).toBe("30s ago");
  expect(formatAgo("2026-01-31T21:00:00.000Z", now)).toBe("3h ago");
  expect(formatAgo("2026-01-30T00:00:00.000Z", now)).toBe("2d ago");
  expect(formatAgo("2025-05-05T00:00:00.000Z", now)).toBe("2025-05-05");
  expect(formatAgo("2026-02-01T00:05:00.000Z", now)).toBe("just now");
  expect(formatAgo("nonsense", now)).toBe("");
});
