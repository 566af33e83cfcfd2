import { describe, expect, it } from "vitest";
import { createCallLog } from "./call-log.ts";

const MAX_CALLS = 10_000;

describe("The calls of a double", () => {
  it("are kept oldest first, the last 10,000 of them, however many came", () => {
    const log = createCallLog<number>();
    for (let call = 0; call < 3 * MAX_CALLS + 7; call++) {
      log.add(call, 1);
      const kept = Math.min(call + 1, MAX_CALLS);
      if (call % 977 !== 0 && call % MAX_CALLS > 2) continue;
      const { items, total } = log.read();
      expect(total).toBe(call + 1);
      expect(items).toEqual(Array.from({ length: kept }, (_, index) => call + 1 - kept + index));
    }
  });

  it("are dropped when they are too long together, but never the last", () => {
    const log = createCallLog<string>();
    const half = 16 * 1024 * 1024;
    for (const call of ["a", "b", "c"]) log.add(call, half);
    expect(log.read()).toEqual({ items: ["b", "c"], next_cursor: null, total: 3 });
    log.add("d", 3 * half);
    expect(log.read().items).toEqual(["d"]);
    log.add("e", 1);
    expect(log.read().items).toEqual(["e"]);
  });

  it("begin again when they were cleared", () => {
    const log = createCallLog<number>();
    for (let call = 0; call < MAX_CALLS + 5; call++) log.add(call, 1);
    log.clear();
    log.add(1, 1);
    expect(log.read()).toEqual({ items: [1], next_cursor: null, total: 1 });
  });
});
