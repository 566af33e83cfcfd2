import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOldestKey } from "./oldest-key.ts";

describe("The oldest key of a map", () => {
  it("is the first that is left, whatever came and went before", () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant("set" as const), key: fc.nat(20) }),
      fc.record({ kind: fc.constant("renew" as const), key: fc.nat(20) }),
      fc.record({ kind: fc.constant("delete" as const), key: fc.nat(20) }),
      fc.constant({ kind: "drop" as const, key: 0 }),
      fc.constant({ kind: "clear" as const, key: 0 }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const map = new Map<number, string>();
        const oldestKey = createOldestKey(map);
        for (const { kind, key } of changes) {
          if (kind === "clear") map.clear();
          if (kind === "delete" || kind === "renew") map.delete(key);
          if (kind === "set" || kind === "renew") map.set(key, "");
          if (kind !== "drop") continue;
          const [expected] = map.keys();
          const oldest = oldestKey();
          expect(oldest).toBe(expected);
          if (oldest !== undefined) map.delete(oldest);
        }
      }),
    );
  });
});
