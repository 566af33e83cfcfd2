import { describe, expect, it } from "vitest";
import { isUuid, uuidTime, uuidV7 } from "./id.ts";

describe("run ids", () => {
  it("are UUIDs of version 7 that carry their time and sort by it", () => {
    const time = Date.parse("2026-01-02T03:04:05.678Z");
    const ids = [uuidV7(time), uuidV7(time + 1), uuidV7(time + 100_000)];
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidTime(ids[0] ?? "")).toBe(time);
    expect(uuidTime("00000000-0000-4000-8000-000000000000")).toBeUndefined();
    expect(ids.toSorted()).toEqual(ids);
  });

  it("do not repeat", () => {
    const now = Date.now();
    expect(new Set(Array.from({ length: 20_000 }, () => uuidV7(now))).size).toBe(20_000);
  });

  it("are recognised among other texts", () => {
    expect(isUuid(uuidV7())).toBe(true);
    expect(isUuid("../../etc/passwd")).toBe(false);
  });
});
